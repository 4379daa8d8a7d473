-- A log filtered by the reason of a failure is counted from this index alone, as one filtered by the HTTP status is.

drop index deliveries_not_delivered;
create index deliveries_not_delivered on deliveries (status collate "C", id)
  include (subscription_id, event_type, last_status, last_reason)
  where status collate "C" <> 'delivered';
