-- Deliveries that failed for good, and those that arrived after they had been tried before: whoever keeps track of what
-- went wrong takes them from here, each once. Written by the statement that ends the attempt, so none is forgotten.
create table untold_ends (
  id bigint generated always as identity primary key,
  delivery_id bigint not null,
  status text not null check (status in ('failed', 'delivered')),
  ended_at timestamptz not null,
  -- How often telling it went wrong, and when it is tried again: it must not keep the others waiting.
  tries integer not null default 0,
  not_before timestamptz
);
create index untold_ends_delivery on untold_ends (delivery_id);
