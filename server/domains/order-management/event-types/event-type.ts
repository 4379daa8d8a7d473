import { catalogue } from '#events/catalogue.ts'

/** Data, a schema, an example: any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

export interface EventTypeFields {
  readonly description: string
  /** JSON Schema 2020-12 of the data; null: any object. */
  readonly schema: JsonObject | null
  /** Data as tests of hooks deliver it. */
  readonly example: JsonObject | null
  /** Inactive: nothing of it is raised any more. */
  readonly isActive: boolean
}

/** A type of events of one's own (contract, section 8). */
export interface EventType extends EventTypeFields {
  readonly name: string
  /** Another one after each change. */
  readonly version: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** An event name in its stored form: hyphens and dots are alike, underscores are part of a name (contract, section 4). */
export const canonicalEventName = (name: string): string => name.replaceAll('-', '.')

export const firstWord = (name: string): string => name.slice(0, name.indexOf('.'))

/** What an event of the type is about, where nothing else says so: `crm.customer` of `crm.customer.updated`. */
export const aboutOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))

const nameForm = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/
const ourGroups = new Set(Object.keys(catalogue).map(firstWord))

/** Why a type of one's own cannot have the name; undefined when it can. */
export const nameProblem = (name: string): string | undefined => {
  if (!nameForm.test(name))
    return 'Expected two words or more of small letters, digits and underscores, joined by dots, such as crm.customer.updated.'
  return ourGroups.has(firstWord(name))
    ? `Names that begin with ${firstWord(name)}. are those of Waybill's own events.`
    : undefined
}
