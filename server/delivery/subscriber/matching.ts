/** `*`, or words of an event's name followed by `.*`: what any name that begins so is matched by (contract, section 4). */
const pattern = /^(?:[^.*]+\.)*\*$/

export const isPattern = (text: string): boolean => pattern.test(text)

/** Whether a name of an event is matched by a name or a pattern; `matches_pattern` is the same in the database. */
export const matchesPattern = (type: string, nameOrPattern: string): boolean =>
  isPattern(nameOrPattern) ? type.startsWith(nameOrPattern.slice(0, -1)) : type === nameOrPattern

/** Names and patterns without those that another pattern covers. At most one of what is left matches an event. */
export const broadest = (eventTypes: readonly string[]): string[] =>
  eventTypes.filter((one) => !eventTypes.some((other) => other !== one && matchesPattern(one, other)))

/** The name and the patterns that match an event of a type, with spaces between them. */
export const patternsOf = (type: string): string => {
  const words = type.split('.')
  return ['*', ...words.slice(0, -1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`), type].join(' ')
}

/** Whether `subscription` gets `event`, which was sent to all that listen or to one alone; two rows of a query, in SQL. */
export const getsEvent = `case when event.addressee is null
  then exists (
    select from subscription_events listening
    where listening.subscription_id = subscription.id and listening.scope = event.scope and matches_pattern(event.type, pattern)
  ) and fulfils(event.body::jsonb, subscription.filter, subscription.filter_path)
  else event.addressee = subscription.id end`

/** The paths of `filter` whose conditions the event of `body` does not meet, each judged alone; null when it meets all. In SQL. */
export const unmetPaths = `(
    with parsed as materialized (select body::jsonb as object)
    select array_agg(path order by path)
    from parsed
    cross join jsonb_each(filter) conditions (path, condition)
    cross join lateral jsonb_build_object(path, condition) alone
    where not fulfils(object, alone, filter_path(alone)))`

/**
 * Parts of a statement, in SQL, that find who listens to events: `listening (position, subscription_id)` of the rows of
 * `numbered (position, scope, type, patterns, body)`, and `objects (position, object)` where a filter may have to be judged.
 * A subscription is there once for each event, however many of its patterns and values match.
 *
 * Subscriptions whose filter asks for certain values are found by them: for each place in the body where some filter of
 * a pattern looks (`keyed`, by one probe of the index for each place), the values that an event has there. So filters
 * cost by how many match, and not by how many there are. The whole filter is judged by `fulfils` afterwards. Each body is
 * parsed once, and each place in it looked at once.
 */
export const listeningParts = `
  patterns as (
    select scope, type, unnest(string_to_array(patterns, ' ')) as pattern
    from (select distinct scope, type, patterns from numbered) kind
  ),
  keyed as (
    with recursive place as (
      select scope, type, pattern, (
        select filter_on from subscription_events listening
        where listening.scope = patterns.scope and listening.pattern = patterns.pattern and filter_on > ''
        order by filter_on limit 1) as filter_on
      from patterns
      union all
      select scope, type, pattern, (
        select filter_on from subscription_events listening
        where listening.scope = place.scope and listening.pattern = place.pattern and filter_on > place.filter_on
        order by filter_on limit 1)
      from place where filter_on is not null
    )
    select scope, type, filter_on, array_agg(pattern) as patterns from place where filter_on is not null
    group by scope, type, filter_on
  ),
  objects as materialized (
    select position, scope, type, body::jsonb as object from numbered where (scope, type) in (select scope, type from keyed)
  ),
  sought as materialized (
    select distinct position, scope, patterns, filter_on, filter_value(value) as filter_value
    from objects
    join keyed using (scope, type)
    cross join lateral jsonb_path_query(object, filter_on::jsonpath, '{}', true) value
    union all
    select position, scope, string_to_array(patterns, ' '), '', '' from numbered
  ),
  listening as (
    select distinct position, found.subscription_id
    from sought
    cross join unnest(patterns) sought_pattern
    cross join lateral (
      select subscription_id from subscription_events listening
      where listening.scope = sought.scope and listening.pattern = sought_pattern
        and listening.filter_on = sought.filter_on and listening.filter_value = sought.filter_value
      offset 0 -- keeps the planner from reading all of a pattern first
    ) found
  )`
