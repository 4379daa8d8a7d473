-- What a division pays for a product, for some time, where that is less than its list price.

create table prices (
  id bigint generated always as identity primary key,
  division_id bigint not null references divisions,
  -- Whom it is for: the division alone, or all that hangs from it too.
  covers text not null check (covers in ('division', 'tree')),
  product_id bigint not null references products,
  -- In the smallest unit of the currency, which the product had when it was set.
  price bigint not null check (price >= 0),
  currency text not null,
  -- What people call the list that it is in.
  name text not null,
  valid_from timestamptz not null,
  -- The first moment when it does not hold any more; null: it has no end.
  valid_to timestamptz check (valid_to > valid_from),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- A list has one price of a product from one time on.
  constraint prices_once unique (product_id, division_id, name, covers, valid_from)
);
create index prices_division on prices (division_id, product_id);
create index prices_name on prices (name, id);
create index prices_from on prices (valid_from, id);
create index prices_created on prices (created_at, id);
create index prices_modified on prices (modified_at, id);

-- The price of the division when the product was added, and the row that it is of, as that was called then; null: it was the list price.
alter table quotation_items
  add column division_price bigint,
  add column price_list_id bigint,
  add column price_list_name text;
