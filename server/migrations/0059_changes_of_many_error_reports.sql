-- What somebody resolved or reopened at once, so that it can be undone: the reports that have changed_at as their updated_at
-- since. Each has a time of its own.

create table error_report_changes (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('resolve', 'reopen')),
  changed_by bigint not null references users,
  changed_at timestamptz not null unique,
  -- A job that is still at it stops.
  undone_at timestamptz
);
