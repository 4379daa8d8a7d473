-- What lists of deliveries filter by, in the delivery itself, and indexes that lead to it in the order of the ids.
--
-- Existing deliveries are rewritten once, which takes about a minute for a million.

alter table deliveries
  -- Copies of the event, which never changes.
  add column event_type text,
  add column object_type text,
  add column object_id text;
update deliveries delivery set event_type = event.type, object_type = event.object_type, object_id = event.object_id
from events event where event.id = delivery.event_id;

create index deliveries_of_type on deliveries (event_type, id);
create index deliveries_of_object on deliveries (object_id, id);
-- What arrives at once is in it only until it has arrived.
create index deliveries_not_delivered on deliveries (status, id) include (subscription_id, event_type, last_status)
  where status <> 'delivered';
