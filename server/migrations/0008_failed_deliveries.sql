-- What failed lately is asked for again and again by whoever looks at a subscription; few rows, so a small index.

create index deliveries_failed on deliveries (subscription_id, finished_at) where status = 'failed';

-- Those that ended lately are looked for every few seconds.
create index subscriptions_deleted_at on subscriptions (deleted_at) where deleted_at is not null;
