-- The trace that an event is of (W3C traceparent), for the attempts of its deliveries; null where nothing is traced.
alter table events add column traceparent text;
