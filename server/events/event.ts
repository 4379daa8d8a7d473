import type { Static, TSchema } from 'typebox'
import type { ContentType } from './content-types.ts'

/** One kind of event: what raises it, and what its `data` looks like. */
export interface EventDefinition<Schema extends TSchema = TSchema> {
  readonly description: string
  /** The kind of object the event is about. */
  readonly about: ContentType
  readonly schema: Schema
  readonly example: Static<Schema>
}

/** Checks a definition where it is written, and keeps its exact type. */
export const defineEvent = <Schema extends TSchema>(definition: EventDefinition<Schema>): EventDefinition<Schema> =>
  definition
