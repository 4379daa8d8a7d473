-- Patterns of events and filters of subscriptions (contract, section 4).

alter table subscriptions
  -- As its owner wrote it, and as a path over the stored body of an event. Null: every event that it listens to.
  add column filter jsonb,
  add column filter_path jsonpath;

-- What is listened to is a name or a pattern. With a filter that asks for certain values, one row for each of them: where
-- in the body it is, and the value, so that filters which cannot match are never looked at.
alter table subscription_events rename column event_type to pattern;
alter table subscription_events
  add column filter_on text not null default '',
  add column filter_value text not null default '';
alter table subscription_events drop constraint subscription_events_pkey;
alter table subscription_events add primary key (scope, pattern, filter_on, filter_value, subscription_id);

-- A value as an index compares it: numbers that are equal have one text.
create function filter_value(value jsonb) returns text language sql immutable parallel safe as $$
  select case jsonb_typeof(value) when 'number' then trim_scale((value #>> '{}')::numeric)::text else value::text end
$$;

-- Whether the stored body of an event fulfils a filter; null is none.
create function fulfils(body jsonb, filter_path jsonpath) returns boolean language sql immutable parallel safe as $$
  select filter_path is null or coalesce(jsonb_path_match(body, filter_path, '{}', true), false)
$$;

-- Whether a pattern matches an event.
create function matches_pattern(type text, pattern text) returns boolean language sql immutable parallel safe as $$
  select type = pattern or (right(pattern, 1) = '*' and starts_with(type, left(pattern, -1)))
$$;

-- event_type is what tells hooks of one user and URL apart: their names and patterns in order. This is how they were sent:
-- a name, or a list.
alter table hooks add column sent_events jsonb;
update hooks set sent_events = to_jsonb(event_type);
alter table hooks alter column sent_events set not null;
