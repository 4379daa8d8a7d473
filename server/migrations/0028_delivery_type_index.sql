-- Deliveries of a type are counted by readers who see some subscriptions: the index says whose they are, so that none is looked at.

drop index deliveries_of_type;
create index deliveries_of_type on deliveries (event_type, id) include (subscription_id);
