-- B2B: who buys, what is sold, what it is asked for (document 3; quotations). Amounts are in the smallest unit of their
-- currency.

-- What can be set while the server runs. One that is not here has its default.
create table settings (
  name text primary key,
  -- JSON text.
  value text not null,
  modified_at timestamptz not null,
  modified_by bigint references users
);

-- A company and its branches: a tree. The main division is the root.
create table divisions (
  id bigint generated always as identity primary key,
  name text not null,
  phone_number text not null default '',
  erp_code text unique,
  parent bigint references divisions,
  -- The main division of its tree; itself for a main division.
  root bigint not null references divisions,
  is_active boolean not null default true,
  -- Most that its quotations of a month may come to; null: no limit.
  monthly_limit bigint,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create index divisions_root on divisions (root, id);
create index divisions_parent on divisions (parent);

create table products (
  id bigint generated always as identity primary key,
  -- What the commerce platform calls it.
  remote_id text not null unique,
  name text not null,
  price bigint not null check (price >= 0),
  currency text not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- What somebody is about to ask for (without a name: one for each), and what they put aside under one. Whoever changes a
-- basket or what is in it holds its row.
create table baskets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text,
  saved_at timestamptz,
  check ((name is null) = (saved_at is null))
);
create unique index baskets_current on baskets (user_id) where name is null;
create index baskets_saved on baskets (user_id, id) where name is not null;
create table basket_items (
  -- Its order in the basket.
  id bigint generated always as identity primary key,
  basket_id bigint not null references baskets on delete cascade,
  product_id bigint not null references products,
  division_id bigint not null references divisions,
  quantity integer not null check (quantity between 1 and 1000000),
  unique (basket_id, product_id, division_id)
);

-- The last number of each year: numbers have no gaps that come from failed attempts, and are never used again.
create table quotation_numbers (
  year integer primary key,
  last bigint not null
);

create table quotations (
  id bigint generated always as identity primary key,
  number text not null unique,
  name text not null,
  -- What parts of a name are looked for in.
  folded_name text not null generated always as (lower(name)) stored,
  user_id bigint not null references users,
  -- Of the user when it was made, and the main division of its tree.
  division_id bigint not null references divisions,
  root_division_id bigint not null references divisions,
  status text not null,
  -- Goes up with every change: of two changes of the same version one wins.
  version integer not null default 1,
  -- The terms that were sent last, or those that were submitted (1).
  revision integer not null default 1,
  currency text not null,
  total_amount bigint not null,
  -- The same in units of the currency, for lists: cents and yen compare.
  total_units numeric not null,
  net_amount bigint not null,
  expires_at timestamptz,
  assignee bigint references users,
  rejected_by_main boolean not null default false,
  -- The revision that the owner submitted or approved last, and what it came to.
  consented_revision integer,
  consented_amount bigint,
  -- Of the orders, from approval on.
  batch_size integer,
  sent_at timestamptz,
  reminded_at timestamptz,
  seller_warned_at timestamptz,
  owner_warned_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

create table quotation_items (
  id bigint generated always as identity primary key,
  quotation_id bigint not null references quotations on delete cascade,
  product_id bigint not null references products,
  -- As they were when the product was added.
  product_remote_id text not null,
  product_name text not null,
  list_price bigint not null,
  -- What was agreed on instead.
  price_override bigint,
  quantity integer not null,
  total_amount bigint not null,
  net_amount bigint not null,
  -- [{"id": division, "quantity": n}], in sequence, as JSON text.
  divisions text not null,
  unique (quotation_id, product_id)
);

create table quotation_discounts (
  id bigint generated always as identity primary key,
  quotation_id bigint not null references quotations on delete cascade,
  -- null: of the whole quotation.
  item_id bigint references quotation_items on delete cascade,
  discount_type text not null check (discount_type in ('percentage', 'fixed')),
  -- Ten-thousandths of a percent, or an amount.
  value bigint not null,
  -- What it takes off.
  amount bigint not null,
  created_by bigint not null references users,
  created_at timestamptz not null
);
create index quotation_discounts_quotation on quotation_discounts (quotation_id, id);

-- Terms as they were sent: never changed.
create table quotation_revisions (
  quotation_id bigint not null references quotations on delete cascade,
  revision integer not null,
  -- The whole of it as JSON text.
  content text not null,
  created_by bigint not null references users,
  created_at timestamptz not null,
  primary key (quotation_id, revision)
);

create table quotation_comments (
  id bigint generated always as identity primary key,
  quotation_id bigint not null references quotations on delete cascade,
  user_id bigint not null references users,
  -- Only the back office sees it.
  is_internal boolean not null,
  text text not null,
  created_at timestamptz not null
);
create index quotation_comments_quotation on quotation_comments (quotation_id, id);

-- Who changed what, as what, where: nothing is ever changed or removed here.
create table quotation_audit (
  id bigint generated always as identity primary key,
  quotation_id bigint not null,
  action text not null,
  user_id bigint,
  actor text not null,
  surface text not null,
  -- JSON texts of the fields that changed.
  before text,
  after text,
  request_id text,
  created_at timestamptz not null
);
create index quotation_audit_quotation on quotation_audit (quotation_id, id);

-- Orders on their way to the commerce platform. One for each key, whatever dies in between.
create table quotation_orders (
  id bigint generated always as identity primary key,
  number text not null unique,
  quotation_id bigint not null references quotations,
  revision integer not null,
  division_id bigint not null references divisions,
  -- As they were when the order was made: what is sent is the same on every try.
  division_name text not null,
  division_erp_code text,
  batch_no integer not null,
  quantity integer not null,
  amount bigint not null,
  currency text not null,
  -- [{"item", "product_remote_id", "quantity", "amount"}] as JSON text; amounts as texts, in minor units.
  items text not null,
  status text not null check (status in ('pending', 'created', 'failed')),
  remote_number text,
  -- Tries that were begun.
  attempts integer not null default 0,
  -- Of the last try that failed; null once it is created.
  error text,
  -- From then on somebody may try; null: only when somebody asks for it. While one tries, the end of its time for that.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  unique (quotation_id, revision, division_id, batch_no)
);

-- How many quotations there are of each kind that lists are filtered by most, kept with every change of a quotation:
-- counting a million takes too long.
create table quotation_counts (
  status text not null,
  division_id bigint not null,
  user_id bigint not null,
  count bigint not null check (count >= 0),
  primary key (user_id, status, division_id)
);
create index quotation_counts_division on quotation_counts (division_id, status);
create index quotation_counts_status on quotation_counts (status);

create index quotations_user on quotations (user_id, id);
create index quotations_division on quotations (division_id, id);
create index quotations_root on quotations (root_division_id, status, id);
create index quotations_status on quotations (status, id);
create index quotations_created on quotations (created_at, id);
create index quotations_modified on quotations (modified_at, id);
create index quotations_total on quotations (total_units, id);
create index quotations_name on quotations (name, id);
-- How few blocks of ids there are (list-page-store.ts); without it, one process alone would count by them.
create statistics quotations_blocks on (id >> 11) from quotations;
create index quotations_expiring on quotations (expires_at) where status in ('request_approval', 'pending', 'sending_approval_request');
create index quotation_items_quotation on quotation_items (quotation_id, id);
create index quotation_orders_quotation on quotation_orders (quotation_id, id);
create index quotation_orders_due on quotation_orders (next_attempt_at) where status <> 'created';
create index quotation_orders_next on quotation_orders (quotation_id, next_attempt_at) where status <> 'created';

-- A user's division is one of these from now on.
alter table users add constraint users_division foreign key (division) references divisions;
create index users_of_division on users (division, id) where division is not null;
