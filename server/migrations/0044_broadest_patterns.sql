-- At most one pattern of a subscription is looked at for an event (contract, section 4).

-- What a subscription listens to, all names and patterns, in order.
alter table subscriptions add column event_types text[] not null default '{}';
update subscriptions set event_types =
  array(select distinct pattern from subscription_events where subscription_id = subscriptions.id order by pattern);

-- Events are matched by those that no other pattern of the subscription covers.
delete from subscription_events narrow where exists (
  select from subscription_events broad
  where broad.subscription_id = narrow.subscription_id and broad.pattern <> narrow.pattern
    and matches_pattern(narrow.pattern, broad.pattern)
);
