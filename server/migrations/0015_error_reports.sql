-- Error reports: what failed, at whose request, with what was sent and answered (document 2; contract, section 6).

create table catalogs (
  id bigint generated always as identity primary key,
  name text not null unique,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- Where orders come from and products go: a marketplace or a shop. Belongs to one catalogue.
create table channels (
  id bigint generated always as identity primary key,
  name text not null,
  catalog_id bigint not null references catalogs,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  unique (catalog_id, name)
);

-- Reports with one cause, as far as a fingerprint tells. The algorithm is part of the key: a newer one makes groups
-- of its own, and rows of the old one stay where they are.
create table error_report_groups (
  id bigint generated always as identity primary key,
  algorithm smallint not null,
  fingerprint text not null,
  channel_id bigint references channels,
  action_content_type integer not null,
  title text not null,
  code_pattern text not null,
  state text not null check (state in ('open', 'resolved', 'ignored')),
  ignored_until timestamptz,
  assignee bigint references users,
  note text not null default '',
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  count bigint not null,
  open_count bigint not null,
  -- Who said that it is resolved, and when; only the time when the last open report of it was resolved.
  resolved_at timestamptz,
  resolved_by bigint references users,
  -- The last time that a failure reopened it.
  regressed_at timestamptz,
  unique (algorithm, fingerprint)
);
create index error_report_groups_last_seen on error_report_groups (last_seen_at, id);

-- Reports that are alike in what lists are filtered by. Few; never removed, and never changed: a report that changes
-- belongs to another one.
create table error_report_cells (
  id integer generated always as identity primary key,
  channel_id bigint,
  action_content_type integer not null,
  target_content_type integer,
  -- The target is the channel itself, as it is when a channel names none.
  targets_channel boolean not null,
  is_ok boolean not null,
  unique nulls not distinct (channel_id, action_content_type, target_content_type, targets_channel, is_ok)
);

-- How many reports there are, kept by every transaction that changes them, because counting a million takes too long:
-- of a cell, of a cell on one day (UTC), and of a cell in one group.
create table error_report_counts (
  -- 0: whatever group they are in, if any.
  group_id bigint not null,
  -- -infinity: on all days.
  day date not null,
  cell_id integer not null references error_report_cells,
  count bigint not null check (count >= 0),
  primary key (group_id, day, cell_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- created_at never goes back while ids go up, so an interval of time is an interval of ids.
create table error_reports (
  id bigint generated always as identity,
  -- null: a log of success, which is nobody's problem.
  group_id bigint references error_report_groups,
  channel_id bigint references channels,
  action_content_type integer not null,
  action_object_id bigint not null,
  target_content_type integer,
  target_object_id text,
  targets_channel boolean not null
    generated always as (coalesce(target_object_id = channel_id::text, false)) stored,
  cell_id integer not null references error_report_cells,
  obj_modified_date timestamptz not null,
  error_code varchar(128) not null,
  error_desc text not null,
  is_ok boolean not null,
  was_ok_at_creation boolean not null,
  raw_request text,
  raw_response text,
  -- What it is found by (search-words.ts). Whole words: an index of parts of words is five times as dear to keep, and
  -- has to read every text again that it finds.
  words text[] collate "C" not null,
  -- Of channel and body: the same again within ten minutes is the same row.
  body_hash text not null,
  place_type text,
  remote_code text,
  resolved_at timestamptz,
  resolved_by bigint references users,
  resolved_how text,
  -- Of failures of our own: what knows how to try again (delivery, order, export), and how the action and the target
  -- are shown, as JSON text. Null of what others report.
  source text,
  links text,
  retry_count integer not null default 0,
  last_retry_at timestamptz,
  last_retry_by bigint references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Every index that a list walks has the cell, so that rows are counted and passed over without being read.
  primary key (id) include (cell_id)
) with (
  -- Indexes alone answer only where vacuum has been.
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
create index error_reports_cell on error_reports (cell_id, id);
create index error_reports_group on error_reports (group_id, id) include (cell_id);
create index error_reports_action_object on error_reports (action_object_id, id) include (cell_id);
-- Those whose target is their channel are counted by cells; they would be most of this index.
create index error_reports_target_object on error_reports (target_object_id, id) include (cell_id)
  where not targets_channel;
create index error_reports_error_code on error_reports (error_code, id) include (cell_id);
create index error_reports_created on error_reports (created_at, id);
create index error_reports_updated on error_reports (updated_at, id) include (cell_id);
create index error_reports_body on error_reports using hash (body_hash);
-- What a success resolves; what is left to do of a group, and of a place name.
create index error_reports_open on error_reports (action_object_id, action_content_type, id) where not is_ok;
create index error_reports_open_of_group on error_reports (group_id, id) where not is_ok;
-- What retention looks for.
create index error_reports_succeeded on error_reports (created_at) where is_ok and resolved_at is null;
create index error_reports_resolved on error_reports (resolved_at) where is_ok and resolved_at is not null;
create index error_reports_place on error_reports (channel_id, place_type, remote_code, id)
  where place_type is not null and not is_ok;

-- Finds reports by words. Additions are collected, but few at a time: whoever adds the last one waits for all.
create index error_reports_words on error_reports using gin (words) with (gin_pending_list_limit = 1024);

-- How a channel calls a city, township or district, and which one that is here.
create table place_mappings (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  place_type text not null check (place_type in ('city', 'township', 'district')),
  remote_code text not null,
  local_id bigint,
  local_name text not null,
  created_by bigint not null,
  created_at timestamptz not null,
  unique (channel_id, place_type, remote_code)
);
