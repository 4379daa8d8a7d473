-- Orders of all quotations in one list, and quotations by what became of their orders.

create index quotation_orders_status on quotation_orders (status, id);
create index quotation_orders_division on quotation_orders (division_id, id);
create index quotation_orders_created on quotation_orders (created_at, id);
create index quotation_orders_modified on quotation_orders (modified_at, id);
-- Whether a quotation has an order of a status.
create index quotation_orders_of_status on quotation_orders (quotation_id, status);

call keep_list_counts('quotation_orders', array['status', 'division_id']);
