import { isPattern, matchesPattern } from '#delivery/subscriber/matching.ts'
import { backOfficeEventTypes, projectEventTypes } from '#events/catalogue.ts'
import { nearestTo } from '#platform/text-distance.ts'
import { canonicalEventName, firstWord } from '../../event-types/index.ts'

/**
 * The name or pattern that a text means, in either form; undefined when no event has it. A pattern that begins with the first
 * word of an own type may match nothing yet.
 * @param ownTypes names of the types of one's own.
 */
export const parseEventName = (name: string, ownTypes: readonly string[]): string | undefined => {
  const canonical = canonicalEventName(name)
  const isOfOwnGroup = isPattern(canonical) && ownTypes.some((type) => firstWord(type) === firstWord(canonical))
  return isOfOwnGroup || typesOf([canonical], ownTypes).length > 0 ? canonical : undefined
}

/** The events that names and patterns stand for, those of one's own last. */
export const typesOf = (events: readonly string[], ownTypes: readonly string[]): readonly string[] =>
  [...backOfficeEventTypes, ...ownTypes].filter((type) => events.some((event) => matchesPattern(type, event)))

/** What to tell somebody whose `event_type` is none that hooks hear. @param list where to find all of them. */
export const eventProblem = (name: string, ownTypes: readonly string[], list: string): string => {
  const canonical = canonicalEventName(name.toLowerCase())
  if (canonical !== '*' && projectEventTypes.some((type) => matchesPattern(type, canonical)))
    return 'Events of projects go to project webhooks, not to hooks.'
  if (isPattern(canonical)) return `No event matches this pattern. ${list}`
  if (name.includes('*'))
    return `A pattern is *, or the beginning of a name up to a dot and *, such as package.*. ${list}`
  const known = [...backOfficeEventTypes, ...ownTypes]
  return known.some((type) => type.startsWith(`${canonical}.`))
    ? `There is no event of this name. Did you mean ${canonical}.*, which is every event that begins so? ${list}`
    : unknownEventMessage(name, known, list)
}

/** What to tell somebody whose event does not exist. @param names that there are. @param list where to find all of them. */
export const unknownEventMessage = (name: string, names: readonly string[], list: string): string => {
  const nearest = nearestTo(canonicalEventName(name.toLowerCase()), names)
  return ['There is no event of this name.', ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]), list].join(
    ' ',
  )
}
