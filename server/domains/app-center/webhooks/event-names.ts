import { pingEventTypes, projectEventTypes, type ProjectEventType } from '#events/catalogue.ts'
import type { Problems } from '#platform/problems.ts'

/**
 * The events that a webhook asks for, each once, in the order of document 1: subscribing is a set. Names that are
 * none are added to the problems, each with its place in the list.
 */
export const readEvents = (names: readonly string[], problems: Problems): readonly ProjectEventType[] => {
  for (const [field, messages] of Object.entries(eventProblems(names)))
    for (const message of messages) problems.add(field, message)
  return subscribedEvents(names)
}

/** What is wrong with each name of a list, by its place; what is no text is somebody else's to name. */
export const eventProblems = (names: readonly unknown[]): Record<string, string[]> => {
  const faults: Record<string, string[]> = {}
  for (const [place, name] of names.entries()) {
    const problem = typeof name === 'string' ? problemOf(name) : undefined
    if (problem !== undefined) faults[`events.${place}`] = [problem]
  }
  return faults
}

/** The events of document 1 among these, in its order. */
export const subscribedEvents = (names: readonly string[]): ProjectEventType[] =>
  projectEventTypes.filter((known) => names.includes(known))

const problemOf = (name: string): string | undefined => {
  if ((projectEventTypes as readonly string[]).includes(name)) return undefined
  const meant = projectEventTypes.find((known) => lettersOf(known) === lettersOf(name))
  if (meant !== undefined) return `There is no event of this name. Did you mean ${meant}? Names are written exactly so.`
  if ((pingEventTypes as readonly string[]).includes(name))
    return 'A ping is sent to the webhook that it is asked for, whatever that subscribes to: leave this name out.'
  return `There is no event of this name. Expected one of: ${projectEventTypes.join(', ')}.`
}

/** What is left of a name when case, separators and the other spelling of canceled do not count. */
const lettersOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace('cancelled', 'canceled')
