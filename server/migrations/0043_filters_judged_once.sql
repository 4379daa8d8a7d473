-- A filter looks once at each place in the body of an event, however many values it compares what is there with (contract, section 4).

-- A filter as an SQL/JSON path over the body. Where the path leads through a list, one of its elements must be so. Values are
-- variables of the path, whose object is the filter itself. A limit that is a number compares numbers, and texts that are one, such
-- as money; a text compares texts.
create function filter_path(filter jsonb) returns jsonpath language sql immutable parallel safe as $$
  select string_agg(
    case jsonb_typeof(condition) when 'object' then (
      select string_agg(
        case operator
          when 'exists' then format('(%sexists (%s))', case when value = 'true' then '' else '!' end, place)
          else format('(%s%s %s %s)', place, case jsonb_typeof(value) when 'number' then '.double()' end,
            case operator when 'gt' then '>' when 'gte' then '>=' when 'lt' then '<' when 'lte' then '<=' end, value)
        end, ' && ')
      from jsonb_each(condition) limits (operator, value))
    else format('(%s == $"%s")', place, path) end, ' && ')::jsonpath
  from jsonb_each(filter) conditions (path, condition)
  cross join lateral (select '$."data"."' || replace(path, '.', '"."') || '"' as place) placed
$$;

drop function fulfils(jsonb, jsonpath);
alter table subscriptions drop column filter_path;
alter table subscriptions add column filter_path jsonpath generated always as (filter_path(filter)) stored;

-- Whether the stored body of an event fulfils a filter; null is none.
create function fulfils(body jsonb, filter jsonb, filter_path jsonpath) returns boolean language sql immutable parallel safe as $$
  select filter_path is null or coalesce(jsonb_path_match(body, filter_path, filter, true), false)
$$;

-- A filter that asks for no certain values is found by what is true of any event. So the place is empty only without a filter.
update subscription_events set filter_on = 'true', filter_value = 'true'
from subscriptions where id = subscription_id and filter_on = '' and filter is not null;
