-- Switching order on in steps (contract, section 4). The protocol: delivery/order/start-order.ts.

alter table subscriptions
  -- Since then what is open is being put in order, and nothing is sent. Null: done, or without order.
  add column ordering_since timestamptz;
create index subscriptions_ordering on subscriptions (id) where ordering_since is not null;
