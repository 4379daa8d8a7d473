-- Changes of subscriptions' health and of their switch, for people who look back. They are kept as long as events.

create table health_changes (
  id bigint generated always as identity primary key,
  subscription_id bigint not null,
  at timestamptz not null,
  change text not null check (change in ('failing', 'disabled', 'recovered', 'switched_off', 'switched_on')),
  -- Why it was disabled or switched off.
  reason text,
  -- In a row, when it changed.
  failures integer not null,
  failing_since timestamptz
);
create index health_changes_of_subscription on health_changes (subscription_id, id desc);
create index health_changes_at on health_changes (at);
