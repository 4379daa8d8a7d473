-- Lists by a status and something else are counted in an index alone. A change of the status writes every index anyway.

drop index packages_created_at, shipments_created_at, shipments_carrier, transfers_created_at;
create index packages_created_at on packages (created_at, id) include (status);
create index shipments_created_at on shipments (created_at, id) include (status);
create index shipments_carrier on shipments (carrier, id) include (status);
create index transfers_created_at on transfers (created_at, id) include (status);
