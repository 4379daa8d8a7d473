-- Deliveries that failed for good, and those that arrived after they had been tried before: whoever keeps track of what
-- went wrong takes them from here, each once. Written by the statement that ends the attempt, so none is forgotten.
create table untold_ends (
  id bigint generated always as identity primary key,
  delivery_id bigint not null,
  status text not null check (status in ('failed', 'delivered')),
  ended_at timestamptz not null
);
