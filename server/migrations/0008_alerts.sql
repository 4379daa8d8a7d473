-- Alerts that are not repeated all the time, and indexes for what is asked again and again.

-- What failed lately: few rows, so a small index.
create index deliveries_failed on deliveries (subscription_id, finished_at) where status = 'failed';

-- Those that ended lately are looked for every few seconds.
create index subscriptions_deleted_at on subscriptions (deleted_at) where deleted_at is not null;

-- The last change of its health that people were told of by e-mail.
alter table subscriptions
  add column alerted_at timestamptz,
  add column alerted_change text check (alerted_change in ('failing', 'disabled', 'recovered'));
