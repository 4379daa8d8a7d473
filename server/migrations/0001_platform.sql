-- What every domain builds on: answers kept for repeated requests, and ids that carry their time.

create table idempotency_keys (
  caller bigint not null,
  path text not null,
  key text not null,
  request_hash text not null,
  reservation text,
  -- Encrypted: an answer can hold what must not stand in a dump.
  answer text,
  created_at timestamptz not null,
  primary key (caller, path, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- One row: what tells this installation from every other one.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  -- A text encrypted with SECRET_KEY: tells at start whether it is still the same.
  key_check text
);
insert into installation default values;

-- A 53-bit id: milliseconds since 2026-01-01 (41 bits, until 2095), then 12 bits of a sequence. Tables
-- partitioned by such an id are partitioned by time, with the id alone as primary key.
create function next_time_id(sequence regclass) returns bigint
language sql volatile
return ((extract(epoch from clock_timestamp()) * 1000)::bigint - 1767225600000) * 4096 + (nextval(sequence) & 4095);

-- The smallest id of a moment: the bound for partitions and for searches by time.
create function time_id_floor(moment timestamptz) returns bigint
language sql immutable
return ((extract(epoch from moment) * 1000)::bigint - 1767225600000) * 4096;
