-- Orders are searched for by the number that the commerce platform gave them.
create index quotation_orders_remote_number on quotation_orders (remote_number) where remote_number is not null;
