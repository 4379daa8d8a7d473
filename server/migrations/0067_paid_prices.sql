-- What companies paid for products, by approved quotation: the last price of a product is found at once.
create table paid_prices (
  quotation_id bigint not null references quotations on delete cascade,
  -- The main division of the quotation.
  root_division_id bigint not null,
  product_id bigint not null,
  -- Of one piece, before discounts, in the smallest unit of the currency of the quotation.
  price bigint not null,
  approved_at timestamptz not null,
  primary key (root_division_id, product_id, approved_at, quotation_id)
);
create index paid_prices_quotation on paid_prices (quotation_id);

-- Nothing changes a quotation after its approval.
insert into paid_prices (quotation_id, root_division_id, product_id, price, approved_at)
  select quotations.id, quotations.root_division_id, item.product_id,
    coalesce(item.price_override, item.division_price, item.list_price), quotations.modified_at
  from quotations join quotation_items item on item.quotation_id = quotations.id
  where quotations.status = 'approved';
