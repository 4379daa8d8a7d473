import type { Db, Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import type { FieldCheck } from '#platform/http/errors/field-errors.ts'
import { compileOwnSchema } from '#platform/http/own-schemas.ts'
import { aboutOf, type EventType } from './event-type.ts'
import { allEventTypes, readStamp } from './store.ts'

/** A type of one's own as events of it are raised. */
export interface KnownType extends Pick<EventType, 'name' | 'description' | 'schema' | 'example' | 'isActive'> {
  readonly version: number
  /** The kind of object that an event is about, where it names none. */
  readonly about: string
  /** By its schema, as `prepare` compiled it; undefined where any object will do. */
  readonly check: FieldCheck | undefined
  /** To be called before `check`, outside of its bounded time. @throws AppError 400 in a pause, and where the schema cannot be used. */
  readonly prepare: () => void
  /** Has `prepare` refuse for five seconds, because a check took too long. */
  readonly pause: () => void
}
export type KnownTypes = ReadonlyMap<string, KnownType>

/** A change on one process counts on every other within a second (contract, section 8): this, and the time of one look. */
const maxAgeMs = 500

/** All types in memory, read again when one has changed. What is compiled of a schema is kept until that changes. */
export const makeKnownTypes = () => {
  let known: { readonly stamp: string; readonly types: KnownTypes } = { stamp: '', types: new Map() }
  let askedAt = -Infinity
  let asking: Promise<KnownTypes> | undefined

  /** As they are now. */
  const read = async (db: Db | Tx): Promise<KnownTypes> => {
    const now = performance.now()
    const stamp = await readStamp(db)
    const types = stamp === known.stamp ? known.types : keep(known.types, await allEventTypes(db))
    if (now > askedAt) {
      known = { stamp, types }
      askedAt = now
    }
    return types
  }
  return {
    read,
    /** As they were half a second ago, or later. */
    recent: async (db: Db): Promise<KnownTypes> => {
      if (performance.now() - askedAt < maxAgeMs) return known.types
      asking ??= read(db).finally(() => {
        asking = undefined
      })
      return asking
    },
    /** They have changed: who asks from now on does not get them as they were. */
    forget: (): void => {
      askedAt = -Infinity
      asking = undefined
    },
  }
}

const keep = (before: KnownTypes, now: readonly EventType[]): KnownTypes =>
  new Map(
    now.map((type) => {
      const same = before.get(type.name)
      return [type.name, same?.version === type.version ? same : toKnown(type)]
    }),
  )

/** How long no data of a type are checked after a check that took too long. */
const pauseMs = 5_000

const toKnown = (type: EventType): KnownType => {
  const { name, schema } = type
  let compiled: FieldCheck | undefined
  let pausedUntil = -Infinity
  return {
    ...type,
    about: aboutOf(name),
    prepare: () => {
      if (schema === null) return
      if (performance.now() < pausedUntil)
        throw ruleBroken('check_too_long', `To check an event by the schema of ${name} took too long a moment ago.`)
      compiled ??= usable(name, () => compileOwnSchema(schema).check)
    },
    pause: () => {
      pausedUntil = performance.now() + pauseMs
    },
    check: schema === null ? undefined : (data) => usable(name, () => compiled?.(data)),
  }
}

/** What is thrown at work by a schema, such as a pattern that V8 finds too large after all, is the fault of the schema. */
export const usable = <T>(name: string, work: () => T): T => {
  try {
    return work()
  } catch {
    throw ruleBroken('schema_unusable', `Events cannot be checked by the schema of ${name}: change the type.`)
  }
}
