-- Lists that people come back to: a screen of the console with its filters, under a name.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  screen text not null,
  name text not null,
  -- The query string of the screen.
  query text not null,
  -- Whether everybody in the back office has it.
  is_shared boolean not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  constraint saved_views_name unique (user_id, screen, name)
);
create index saved_views_shared on saved_views (screen, id) where is_shared;
