-- Order within an object (contract, section 4). The protocol: delivery/order/object-queues.ts.

alter table subscriptions add column is_ordered boolean not null default false;

alter table deliveries drop constraint deliveries_status_check;
alter table deliveries
  -- waiting: an earlier delivery about the same object has to be done first.
  add constraint deliveries_status_check check (status in ('pending', 'delivered', 'failed', 'cancelled', 'held', 'waiting')),
  -- Of a delivery with order: its place among those of its object, which is the event's.
  add column sequence bigint,
  -- Whether it is the first open one of its object, or another is before it. Null: without order, or out of the queue.
  add column is_head boolean;
create index deliveries_heads on deliveries (subscription_id, object_type, object_id) where is_head;
-- Those behind a head, the next one first.
create index deliveries_behind on deliveries (subscription_id, object_type, object_id, sequence)
  where not is_head and status in ('waiting', 'held');
-- Heads that have ended, until the next is made head.
create index deliveries_ended_heads on deliveries (id) where is_head and status in ('delivered', 'failed', 'cancelled');

-- A row for each object of which an ordered subscription has an open delivery. Who holds it decides which is the head.
create table object_queues (
  subscription_id bigint not null,
  object_type text not null,
  object_id text not null,
  head_sequence bigint not null,
  primary key (subscription_id, object_type, object_id)
) with (fillfactor = 80);
