-- Packages that are made of an order of a quotation (fulfilment, last sentence).

-- The order that it was made of; null: of no quotation.
alter table packages add column quotation_order_id bigint references quotation_orders;
create index packages_quotation_order on packages (quotation_order_id, id) where quotation_order_id is not null;
