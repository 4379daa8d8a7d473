-- The ledger of a location is read newest first, of all skus or of one.

create index stock_entries_location on stock_entries (location_id, id);
create index stock_entries_sku on stock_entries (location_id, sku, id);
drop index stock_entries_balance;
