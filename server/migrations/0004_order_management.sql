-- Order management: places that hold stock, what they hold, and what is packed and shipped from them.

create table stock_locations (
  id bigint generated always as identity primary key,
  code text not null constraint stock_locations_code unique,
  name text not null,
  kind text not null check (kind in ('warehouse', 'store', 'virtual')),
  address text not null,
  is_active boolean not null,
  -- Whether more may be allocated here than there is.
  allow_backorder boolean not null,
  created_at timestamptz not null,
  modified_at timestamptz not null
);

-- The sums of the ledger below, kept so that an allocation can lock and check one row for each sku.
create table stock_balances (
  location_id bigint not null references stock_locations,
  sku text not null,
  -- Negative only where back-orders were sold.
  on_hand bigint not null,
  allocated bigint not null check (allocated >= 0),
  primary key (location_id, sku)
);
create index stock_balances_sku on stock_balances (sku);

-- Append-only: every change of a balance, with what it added to each side.
create table stock_entries (
  id bigint generated always as identity primary key,
  location_id bigint not null,
  sku text not null,
  kind text not null check (kind in ('adjust', 'allocate', 'release', 'sale', 'restock', 'write_off')),
  on_hand bigint not null,
  allocated bigint not null,
  -- Why: what the operator said, or the number of the package.
  cause text not null,
  actor_id bigint not null,
  created_at timestamptz not null,
  foreign key (location_id, sku) references stock_balances
);
create index stock_entries_balance on stock_entries (location_id, sku);

create sequence package_numbers;

create table packages (
  id bigint generated always as identity primary key,
  number text not null unique,
  order_number text not null,
  -- In status created: where it is planned to go, if anywhere.
  location_id bigint references stock_locations,
  status text not null check (status in ('created', 'transitioned', 'packed', 'shipped', 'packed_for_refund', 'cancelled')),
  -- Whether its stock has left with a sale: decides what a cancellation has to undo.
  is_sold boolean not null,
  created_at timestamptz not null,
  modified_at timestamptz not null
);
create index packages_status on packages (status, id);
create index packages_order_number on packages (order_number);
create index packages_location on packages (location_id, id);
create index packages_created_at on packages (created_at);

create table package_items (
  package_id bigint not null references packages,
  sku text not null,
  position integer not null,
  quantity integer not null check (quantity > 0),
  primary key (package_id, sku)
);
create index package_items_sku on package_items (sku, package_id);

create table package_history (
  id bigint generated always as identity primary key,
  package_id bigint not null references packages,
  action text not null,
  -- Null for the creation.
  from_status text,
  to_status text not null,
  location_id bigint,
  actor_id bigint not null,
  created_at timestamptz not null
);
create index package_history_package on package_history (package_id, id);

create table shipments (
  id bigint generated always as identity primary key,
  package_id bigint not null references packages,
  carrier text not null,
  awb_number text,
  tracking_url text,
  status text not null
    check (status in ('created', 'ready', 'in_transit', 'out_for_delivery', 'delivered', 'failed', 'returned', 'cancelled')),
  created_at timestamptz not null,
  modified_at timestamptz not null
);
-- A package has one shipment at most, besides cancelled ones.
create unique index shipments_of_package on shipments (package_id) where status <> 'cancelled';
create index shipments_package on shipments (package_id);
create index shipments_status on shipments (status, id);
create index shipments_awb_number on shipments (awb_number);
create index shipments_created_at on shipments (created_at);
