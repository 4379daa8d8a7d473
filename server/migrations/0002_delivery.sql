-- The delivery engine: who is subscribed, what happened, what is to be sent, and what each attempt saw.

create table subscriptions (
  id bigint generated always as identity primary key,
  scope text not null,
  dialect text not null,
  -- URL, custom headers, signing secret and receiver credentials: one encrypted JSON text.
  sealed text not null,
  retry jsonb not null,
  is_active boolean not null,
  disabled_reason text,
  -- The receiver asked for quiet until then (Retry-After).
  hold_until timestamptz,
  deleted_at timestamptz,
  -- Changes with every change of the row, so that a worker knows when its copy is old.
  version integer not null default 1,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

create table subscription_events (
  scope text not null,
  event_type text not null,
  subscription_id bigint not null references subscriptions on delete cascade,
  primary key (scope, event_type, subscription_id)
);
create index subscription_events_subscription on subscription_events (subscription_id);

-- The number of the last event of each object: subscribers can put an object's events in order by it.
create table object_sequences (
  object_type text not null,
  object_id text not null,
  last bigint not null,
  primary key (object_type, object_id)
);

-- Events, deliveries and attempts are partitioned by time through their id (see next_time_id): the hot
-- path only ever touches the newest, and history is dropped a partition at a time.
create sequence event_ids;
create table events (
  id bigint primary key default next_time_id('event_ids'),
  scope text not null,
  type text not null,
  occurred_at timestamptz not null,
  object_type text,
  object_id text,
  sequence bigint,
  -- The exact bytes that every delivery of this event sends.
  body text not null
) partition by range (id);
create index events_object on events (object_type, object_id);

create sequence delivery_ids;
create table deliveries (
  id bigint primary key default next_time_id('delivery_ids'),
  event_id bigint not null,
  subscription_id bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  -- Attempts begun, the one in flight included.
  attempts integer not null default 0,
  -- When a pending delivery is to be tried next; a live lease means it is being tried now.
  next_attempt_at timestamptz not null,
  lease_token bigint,
  leased_at timestamptz,
  leased_until timestamptz,
  -- Of the last finished attempt.
  last_status integer,
  last_reason text,
  finished_at timestamptz
) partition by range (id);
-- The queue. Claiming changes none of these columns, so a claim writes no index entry (HOT).
create index deliveries_due on deliveries (subscription_id, next_attempt_at) where status = 'pending';
create index deliveries_of_subscription on deliveries (subscription_id, id desc);
create index deliveries_of_event on deliveries (event_id);

create table attempts (
  delivery_id bigint not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer,
  -- delivered, retry, failed, or unknown when the process died before it could say.
  outcome text not null,
  reason text,
  response_status integer,
  request_headers jsonb,
  response_headers jsonb,
  response_body text,
  primary key (delivery_id, number)
) partition by range (delivery_id);

-- Rows outside every week that exists (a clock that jumped) are kept here instead of refused.
create table events_default partition of events default;
create table deliveries_default partition of deliveries default with (fillfactor = 70);
create table attempts_default partition of attempts default;

-- Creates the partitions for the week of a moment, unless they exist.
create procedure create_week(moment timestamptz)
language plpgsql as $$
declare
  week date := date_trunc('week', moment at time zone 'UTC')::date;
  low bigint := time_id_floor(week::timestamp at time zone 'UTC');
  high bigint := time_id_floor((week + 7)::timestamp at time zone 'UTC');
  suffix text := to_char(week, 'IYYY"w"IW');
begin
  execute format('create table if not exists events_%s partition of events for values from (%s) to (%s)', suffix, low, high);
  execute format('create table if not exists deliveries_%s partition of deliveries for values from (%s) to (%s) with (fillfactor = 70)', suffix, low, high);
  execute format('create table if not exists attempts_%s partition of attempts for values from (%s) to (%s)', suffix, low, high);
end $$;

call create_week(now());
call create_week(now() + interval '7 days');
