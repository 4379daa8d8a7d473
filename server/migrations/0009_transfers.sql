-- Transfers of stock from one location to another, and shipments that carry them.

create sequence transfer_numbers;

create table transfers (
  id bigint generated always as identity primary key,
  number text not null unique,
  from_location_id bigint not null references stock_locations,
  to_location_id bigint not null references stock_locations,
  -- The package it serves, if any: such a transfer has a shipment.
  package_id bigint references packages,
  status text not null
    check (status in ('created', 'transitioned', 'ready_to_shipment', 'in_transit', 'transferred', 'cancelled')),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  constraint transfers_between_two check (from_location_id <> to_location_id)
);
create index transfers_status on transfers (status, id);
create index transfers_from_location on transfers (from_location_id, id);
create index transfers_to_location on transfers (to_location_id, id);
create index transfers_package on transfers (package_id) where package_id is not null;
create index transfers_created_at on transfers (created_at);

create table transfer_items (
  transfer_id bigint not null references transfers,
  sku text not null,
  position integer not null,
  quantity integer not null check (quantity > 0),
  -- What arrived; 0 until the transfer is received.
  received integer not null default 0 check (received between 0 and quantity),
  primary key (transfer_id, sku)
);
create index transfer_items_sku on transfer_items (sku, transfer_id);

create table transfer_history (
  id bigint generated always as identity primary key,
  transfer_id bigint not null references transfers,
  action text not null,
  -- Null for the creation.
  from_status text,
  to_status text not null,
  -- Why less arrived than was sent, as the receiver said.
  reason text,
  -- What became of goods that were under way when the transfer was cancelled.
  disposition text check (disposition in ('return', 'write_off')),
  actor_id bigint not null,
  created_at timestamptz not null
);
create index transfer_history_transfer on transfer_history (transfer_id, id);

alter table shipments
  alter column package_id drop not null,
  add column transfer_id bigint references transfers,
  -- Every row so far has a package, so they need not be looked at.
  add constraint shipments_carry_one check (num_nonnulls(package_id, transfer_id) = 1) not valid;
-- A transfer has one shipment at most, besides cancelled ones.
create unique index shipments_of_transfer on shipments (transfer_id) where status <> 'cancelled';
create index shipments_transfer on shipments (transfer_id) where transfer_id is not null;

-- More kinds than before, so the entries so far need not be looked at.
alter table stock_entries
  drop constraint stock_entries_kind_check,
  add constraint stock_entries_kind_check check (
    kind in ('adjust', 'allocate', 'release', 'sale', 'restock', 'write_off', 'transfer_out', 'transfer_in')
  ) not valid;
