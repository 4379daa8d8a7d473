import { backOfficeEventTypes, isBackOfficeEventType, type BackOfficeEventType } from '#events/catalogue.ts'
import { distanceOf } from '#platform/text-distance.ts'

/** An event name in its stored form: hyphens and dots are alike, underscores are part of a name (contract, section 4). */
export const canonicalEventName = (name: string): string => name.replaceAll('-', '.')

/** The event that a name means, in either form; undefined when there is none. */
export const parseEventName = (name: string): BackOfficeEventType | undefined => {
  const canonical = canonicalEventName(name)
  return isBackOfficeEventType(canonical) ? canonical : undefined
}

/** What to tell somebody whose event does not exist: the names that look like it, and where all of them are. */
export const unknownEventMessage = (name: string, registryPath: string): string => {
  const near = nearNames(name, backOfficeEventTypes)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return `There is no event of this name.${hint} GET ${registryPath} lists all of them.`
}

/** Up to three of `names` that a person may have meant, the nearest first. */
export const nearNames = (name: string, names: readonly string[]): string[] => {
  const typed = canonicalEventName(name.trim().toLowerCase())
  const furthest = Math.max(2, Math.floor(typed.length / 4))
  return names
    .map((known) => ({ known, distance: hasAllParts(known, typed) ? 0.5 : distanceOf(typed, known) }))
    .filter(({ distance }) => distance <= furthest)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ known }) => known)
}

/** `package.packed` was meant to be `package.status.packed`: its parts are all there, with others between them. */
const hasAllParts = (known: string, typed: string): boolean => {
  const parts = known.split('.')
  const wanted = typed.split('.')
  return wanted.length > 1 && wanted.every((part) => parts.includes(part))
}
