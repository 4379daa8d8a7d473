-- The newest terms of a quotation of which its owner said that they saw them.
create table quotation_seen (
  quotation_id bigint primary key references quotations on delete cascade,
  seen_revision integer not null,
  seen_at timestamptz not null
);
