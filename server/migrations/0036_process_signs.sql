-- Processes leave a sign of life, which is also a try whether the database takes writes.

create table process_signs (
  id uuid primary key,
  -- Whether it delivers and runs jobs, and got through to the database lately.
  works boolean not null,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- A full disk still takes changes of rows that are there. Each row here needs a page of its own, which it does not take.
-- Not unlogged: the embedded database cannot always be opened after a loss of power when it has such a table to empty.
create table write_probes (filler text not null) with (autovacuum_enabled = off);
alter table write_probes alter column filler set storage plain;
