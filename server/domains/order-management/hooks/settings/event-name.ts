import { isBackOfficeEventType, type BackOfficeEventType } from '#events/catalogue.ts'
import { nearestTo } from '#platform/text-distance.ts'

/** An event name in its stored form: hyphens and dots are alike, underscores are part of a name (contract, section 4). */
export const canonicalEventName = (name: string): string => name.replaceAll('-', '.')

/** The event that a name means, in either form; undefined when there is none. */
export const parseEventName = (name: string): BackOfficeEventType | undefined => {
  const canonical = canonicalEventName(name)
  return isBackOfficeEventType(canonical) ? canonical : undefined
}

/** What to tell somebody whose event does not exist. @param names that there are. @param list where to find all of them. */
export const unknownEventMessage = (name: string, names: readonly string[], list: string): string => {
  const nearest = nearestTo(canonicalEventName(name.toLowerCase()), names)
  return ['There is no event of this name.', ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]), list].join(
    ' ',
  )
}
