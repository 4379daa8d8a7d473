-- Who subscribed to which order-management event (document 2). How it is delivered, the secrets included,
-- is the subscription's; the id is the same.

create table hooks (
  subscription_id bigint primary key references subscriptions,
  user_id bigint not null,
  -- The URL itself is encrypted with the subscription's secrets. Keyed hashes of it: as given, and in lower case.
  url_hash text not null,
  folded_url_hash text not null,
  event_type text not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- Kept after an unsubscribe: the owner still sees what was delivered.
  removed_at timestamptz
);
create unique index hooks_once on hooks (user_id, url_hash, event_type) where removed_at is null;
create index hooks_of_user on hooks (user_id, subscription_id);
