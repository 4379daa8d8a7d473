-- Lists walk an index in their order, which ends with the id, and read whole rows only of the page they show.

-- Keys of the page are read from the index alone, so the numbers bring the id along.
alter table packages drop constraint packages_number_key, add constraint packages_number_key unique (number) include (id);
drop index packages_order_number, packages_created_at;
create index packages_order_number on packages (order_number, id);
create index packages_created_at on packages (created_at, id);
create index packages_modified_at on packages (modified_at, id);

drop index shipments_created_at;
create index shipments_carrier on shipments (carrier, id);
create index shipments_created_at on shipments (created_at, id);
create index shipments_modified_at on shipments (modified_at, id);

alter table transfers drop constraint transfers_number_key, add constraint transfers_number_key unique (number) include (id);
drop index transfers_created_at;
create index transfers_created_at on transfers (created_at, id);
create index transfers_modified_at on transfers (modified_at, id);

drop index users_created_at;
create index users_created_at on users (created_at, id);
create index users_email on users (email, id);
create index users_last_name on users (last_name, id);
create index users_is_staff on users (is_staff, id);
create index users_is_active on users (is_active, id);
