-- Orders that are kept here, where no commerce platform is connected (COMMERCE_CONNECTOR=ledger).
create table ledger_orders (
  -- What its number is made of.
  id bigint generated always as identity primary key,
  -- One order for each, however often it is asked for.
  key text not null unique,
  -- The order as a commerce platform would get it: JSON text.
  content text not null,
  created_at timestamptz not null
);
