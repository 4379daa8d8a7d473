-- Who of the back office looks at which quotation now.
create table quotation_viewers (
  quotation_id bigint not null references quotations on delete cascade,
  user_id bigint not null references users on delete cascade,
  since timestamptz not null,
  -- When they last said so.
  seen_at timestamptz not null,
  primary key (quotation_id, user_id)
);
