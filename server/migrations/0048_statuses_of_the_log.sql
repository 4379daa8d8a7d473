-- The index of what is not delivered serves the log alone: in a collation of its own, which only the log's conditions name.
--
-- Where statistics were gathered while nothing was pending, a claim took it for as good as deliveries_due, and read for each
-- subscription all that is pending for any.

drop index deliveries_not_delivered;
create index deliveries_not_delivered on deliveries (status collate "C", id) include (subscription_id, event_type, last_status)
  where status collate "C" <> 'delivered';
