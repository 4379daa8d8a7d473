import { matchesPattern } from '#delivery/subscriber/matching.ts'
import { backOfficeEventTypes, type BackOfficeEventType } from '#events/catalogue.ts'
import { nearestTo } from '#platform/text-distance.ts'

/** An event name in its stored form: hyphens and dots are alike, underscores are part of a name (contract, section 4). */
export const canonicalEventName = (name: string): string => name.replaceAll('-', '.')

/** The name or pattern that a text means, in either form; undefined when no event has it. */
export const parseEventName = (name: string): string | undefined => {
  const canonical = canonicalEventName(name)
  return typesOf([canonical]).length > 0 ? canonical : undefined
}

/** The events that names and patterns stand for. */
export const typesOf = (events: readonly string[]): readonly BackOfficeEventType[] =>
  backOfficeEventTypes.filter((type) => events.some((event) => matchesPattern(type, event)))

/** What to tell somebody whose event does not exist. @param names that there are. @param list where to find all of them. */
export const unknownEventMessage = (name: string, names: readonly string[], list: string): string => {
  const nearest = nearestTo(canonicalEventName(name.toLowerCase()), names)
  return ['There is no event of this name.', ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]), list].join(
    ' ',
  )
}
