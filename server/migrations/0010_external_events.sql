-- The ids under which callers raised events of their own, so that a repeated request raises nothing twice.

create table external_events (
  user_id bigint not null,
  -- Compared byte by byte: the order in which concurrent requests take their ids must be the same everywhere.
  id text collate "C" not null,
  -- SHA-256 of type, timestamp and data: tells the same event from another one under its id.
  content_hash text not null,
  accepted_at timestamptz not null,
  primary key (user_id, id)
);
create index external_events_accepted_at on external_events (accepted_at);
