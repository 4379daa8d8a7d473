-- The engine's view of an endpoint's health, limits of its own, a lane for retries, and more evidence of each attempt.

alter table subscriptions
  add column health text not null default 'healthy' check (health in ('healthy', 'failing', 'disabled', 'probing')),
  -- Failed attempts since the last that succeeded, over all deliveries.
  add column failures integer not null default 0,
  -- The first of them.
  add column failing_since timestamptz,
  add column last_success_at timestamptz,
  add column last_failure_at timestamptz,
  -- When the engine switched it off, and when it next tries one delivery to see whether it is back.
  add column disabled_at timestamptz,
  add column probe_at timestamptz,
  -- The breaker is open: nothing is sent until then, and then one delivery at a time while it is failing.
  add column paused_until timestamptz,
  -- Token bucket; none when null. Full again at rate_full_at (generic cell rate algorithm, ITU-T I.371).
  add column rate_per_second double precision check (rate_per_second > 0),
  add column rate_burst integer check (rate_burst > 0),
  add column rate_full_at timestamptz,
  -- Since when every matching event has a delivery: the last time it was created, changed or switched on.
  add column listening_since timestamptz not null default now();
create index subscriptions_probe_at on subscriptions (probe_at) where probe_at is not null;

-- held: happened while the engine had the subscription switched off; sent only when somebody asks for it.
alter table deliveries drop constraint deliveries_status_check;
alter table deliveries
  add constraint deliveries_status_check check (status in ('pending', 'delivered', 'failed', 'cancelled', 'held')),
  -- 0: never tried. 1: tried before, or put back in the queue.
  add column lane smallint not null default 0,
  -- Attempts that do not count, because the delivery was put back in the queue after them.
  add column attempts_before integer not null default 0;
update deliveries set lane = 1 where status = 'pending' and attempts > 0;
drop index deliveries_due;
-- The queue. Claiming changes none of these columns, so a claim writes no index entry (HOT).
create index deliveries_due on deliveries (subscription_id, lane, next_attempt_at) where status = 'pending';
create index deliveries_held on deliveries (subscription_id, id) where status = 'held';

-- Headers as lines of `name: value`, the way they were on the wire: half the cost of jsonb in the statement that ends attempts.
create function header_lines(headers jsonb) returns text language sql immutable as
  $$ select string_agg(key || ': ' || value, E'\n') from jsonb_each_text(headers) $$;
alter table attempts
  alter column request_headers type text using header_lines(request_headers),
  alter column response_headers type text using header_lines(response_headers),
  -- More about the reason, for people.
  add column detail text,
  -- The address that was connected to, and how long each phase took; null when the connection was already there.
  add column address text,
  add column dns_ms integer,
  add column connect_ms integer,
  add column tls_ms integer,
  -- From the request written to the first byte of the answer.
  add column first_byte_ms integer,
  -- When the delivery was due again after this attempt.
  add column next_attempt_at timestamptz;
drop function header_lines;

-- Deliveries put back in the queue by request: a job that goes on where it stopped, a batch at a time.
create table redeliveries (
  id bigint generated always as identity primary key,
  -- recover: every event of one subscription since a time. retry: every delivery that matches a filter.
  kind text not null check (kind in ('recover', 'retry')),
  subscription_id bigint references subscriptions,
  filter jsonb not null,
  requested_by bigint,
  -- Ids up to `position` are done; nothing above `last` belongs to it. Of events for recover, of deliveries for retry.
  position bigint not null,
  last bigint not null,
  total bigint not null,
  queued bigint not null default 0,
  per_second integer not null check (per_second > 0),
  status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
  next_step_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index redeliveries_due on redeliveries (next_step_at) where status = 'running';
create index redeliveries_of_subscription on redeliveries (subscription_id, id);
