-- Files made of quotations (document 3, "Export").

create table exports (
  id bigint generated always as identity primary key,
  -- What the client asks by how far it is. Only its user may.
  cache_key text not null unique,
  user_id bigint not null references users on delete cascade,
  -- null: of all quotations; otherwise of the items of this one.
  quotation_id bigint references quotations,
  format text not null check (format in ('csv', 'xls', 'xlsx')),
  -- Names of the columns, as a JSON text.
  fields text not null,
  -- What was asked for besides, as a JSON text: filters, order, limit.
  query text not null,
  -- Of all that makes requests the same.
  request_hash text not null,
  status text not null default 'waiting' check (status in ('waiting', 'processing', 'completed', 'failed')),
  -- Tries that were begun. Only the last one may finish.
  attempt integer not null default 0,
  rows_done bigint not null default 0,
  rows_total bigint,
  error text,
  -- Of a completed one: key of the file in the store, and its size.
  file text,
  bytes bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- From then on neither the key nor the link is worth anything, and the file goes.
  expires_at timestamptz not null
);
create index exports_same on exports (user_id, request_hash, created_at);
create index exports_expired on exports (expires_at);
