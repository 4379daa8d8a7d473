-- Weeks that can be made although rows of theirs already lie in the default partition, and what upkeep remembers.

-- Every delivery that ends leaves a dead entry at the head of the queue's index, which claims step over until a vacuum takes
-- it out: after 200,000 of them a claim took 20 times as long. By default the vacuum comes after a fifth of the week's rows.
create function partition_options(parent text) returns text
language sql immutable
return case when parent = 'deliveries'
  then 'with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)' else '' end;

do $$
declare
  part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'deliveries'::regclass loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)', part);
  end loop;
end $$;

-- Makes the partition of events, deliveries or attempts for the week of a moment, unless it is there. Rows of that week
-- that lie in the default partition (a clock that jumped, or nobody made the week in time) move into it.
--
-- One table for each call, and each call a transaction: statements of the engine lock these tables in different orders,
-- and one that holds a single table cannot be part of a deadlock. Gives up after 2 s of waiting for a lock.
drop procedure create_week(timestamptz);
create procedure create_week(parent text, moment timestamptz)
language plpgsql as $$
declare
  week date := date_trunc('week', moment at time zone 'UTC')::date;
  low bigint := time_id_floor(week::timestamp at time zone 'UTC');
  high bigint := time_id_floor((week + 7)::timestamp at time zone 'UTC');
  part text := parent || '_' || to_char(week, 'IYYY"w"IW');
  rest text := parent || '_default';
  key text := case parent when 'attempts' then 'delivery_id' else 'id' end;
  is_late boolean;
begin
  if exists (select from pg_inherits join pg_class on oid = inhrelid where inhparent = parent::regclass and relname = part) then return; end if;
  perform set_config('lock_timeout', '2s', true);
  perform pg_advisory_xact_lock(7239120462);
  -- Again, now that whoever was making it has ended.
  if exists (select from pg_inherits join pg_class on oid = inhrelid where inhparent = parent::regclass and relname = part) then return; end if;

  execute format('create table %I (like %I including defaults including constraints) %s', part, parent, partition_options(parent));
  execute format('select exists (select from %I where %I >= %s and %I < %s)', rest, key, low, key, high) into is_late;
  if is_late or low <= time_id_floor(clock_timestamp()) then
    -- Nobody may be on the way to the default partition, or looking for a row there, while they move.
    execute format('lock table %I in access exclusive mode', parent);
    execute format('with moved as (delete from %I where %I >= %s and %I < %s returning *) insert into %I select * from moved',
                   rest, key, low, key, high, part);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part, low, high);
end $$;

-- What one process of many does now and then: when next, when it was last done, and how far it got.
create table upkeep (
  job text primary key,
  due_at timestamptz not null default '-infinity',
  done_at timestamptz,
  position jsonb not null default 'null'
);
-- Events before now are the business of the command that looks at everything.
insert into upkeep (job, position) values ('events', to_jsonb(time_id_floor(now()))), ('queue', 'null'), ('retention', 'null');

-- What was found that should never be, since somebody last had everything looked at and repaired.
create table invariant_violations (
  name text primary key,
  found bigint not null,
  repaired bigint not null,
  examples jsonb not null,
  last_found_at timestamptz not null
);
