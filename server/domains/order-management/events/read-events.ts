import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { catalogue } from '#events/catalogue.ts'
import { orderManagementEvents } from '#events/order-management.ts'
import { runBounded } from '#platform/bounded-run.ts'
import { contentHash } from '#platform/crypto/digests.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidFields, ruleBroken } from '#platform/errors.ts'
import { compileFieldCheck, type FieldCheck } from '#platform/http/errors/field-errors.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import {
  canonicalEventName,
  maxCheckMs,
  type EventTypes,
  type JsonObject,
  type KnownType,
  type KnownTypes,
} from '../event-types/index.ts'
import { unknownEventMessage } from '../hooks/index.ts'
import { maxObjectId, type EventInput } from './schemas.ts'

/** An event that can be raised, under its caller's id. */
export interface ReadEvent {
  readonly id: string
  readonly contentHash: string
  readonly event: NewEvent
  /** Of its data as JSON. */
  readonly characters: number
}

/** Whose webhooks get the events: those of order management. */
const scope = 'back-office'
/** Clocks differ. */
const maxAheadMs = 300_000
/** Fields named in one answer. */
const maxNamed = 20

type Faults = Record<string, readonly string[]>
/** How events of one type are read. */
interface Kind {
  /** The kind of object that they are about, where they name none. */
  readonly about: string
  /** Of types of one's own. */
  readonly isActive?: boolean
  /** Undefined: any object will do. */
  readonly check: FieldCheck | undefined
}

export interface ReadOptions {
  readonly now: Date
  /** Whether data of types of the catalogue has to be as that describes it. */
  readonly isStrict: boolean
}

/**
 * Makes what checks events, and turns them into what the outbox takes.
 * The returned function throws AppError 400 naming up to 20 fields.
 */
export const makeReadEvents = (db: Db, eventTypes: Pick<EventTypes, 'recent'>) => {
  const strict = new Map<string, Kind>(
    Object.entries(orderManagementEvents).map(([type, { about, schema }]) => [
      type,
      { about, check: compileFieldCheck(schema) },
    ]),
  )
  const lenient = new Map<string, Kind>([...strict].map(([type, kind]) => [type, { ...kind, check: undefined }]))

  return async (
    body: EventInput | readonly EventInput[],
    { now, isStrict }: ReadOptions,
  ): Promise<readonly ReadEvent[]> => {
    const inputs = isMany(body) ? body : [body]
    const ours = isStrict ? strict : lenient
    const isOurs = inputs.every(({ type }) => ours.has(canonicalEventName(type)))
    const own: KnownTypes = isOurs ? new Map() : await eventTypes.recent(db)
    for (const type of new Set(inputs.map((input) => canonicalEventName(input.type)))) own.get(type)?.prepare()
    let checked: KnownType | undefined
    const kindOf = (type: string): Kind | undefined => {
      checked = own.get(type)
      return ours.get(type) ?? checked
    }
    const read = () => readAll(inputs, { kindOf, names: [...ours.keys(), ...own.keys()], isMany: isMany(body), now })
    const isChecked = inputs.some(({ type }) => own.get(canonicalEventName(type))?.check !== undefined)
    const done = isChecked ? runBounded(maxCheckMs, read) : read()
    if (done === undefined) {
      // Most likely the type that takes most of the time: else each request could keep everybody waiting for as long.
      checked?.pause()
      throw ruleBroken('check_too_long', 'To check this by the schemas of its types takes too long.')
    }
    const faults = Object.entries(done.faults).slice(0, maxNamed)
    if (faults.length > 0) throw invalidFields(Object.fromEntries(faults))
    return done.events
  }
}

interface Reading {
  readonly kindOf: (type: string) => Kind | undefined
  /** Of all types that there are. */
  readonly names: readonly string[]
  readonly isMany: boolean
  readonly now: Date
}

const readAll = (inputs: readonly EventInput[], { kindOf, names, isMany: isList, now }: Reading) => {
  const events: ReadEvent[] = []
  const faults: Faults = {}
  for (const [index, input] of inputs.entries()) {
    const type = canonicalEventName(input.type)
    const kind = kindOf(type)
    const found =
      kind === undefined
        ? {
            type: [Object.hasOwn(catalogue, type) ? raisedHere : unknownEventMessage(input.type, names, whereNamesAre)],
          }
        : faultsOf(input, kind, now)
    if (kind !== undefined && found === undefined) events.push(toReadEvent(input, type, kind))
    else addFaults(faults, isList ? `${index}.` : '', found)
    if (Object.keys(faults).length >= maxNamed) break
  }
  return { events, faults }
}

const raisedHere = 'Waybill alone raises this event; it cannot be raised from outside.'
const whereNamesAre =
  'The description of this operation lists all of them, and GET /api/v1/event_types/ those of your own.'

const isMany = (body: EventInput | readonly EventInput[]): body is readonly EventInput[] => Array.isArray(body)

const addFaults = (faults: Faults, prefix: string, found: Faults = {}): void => {
  for (const [field, messages] of Object.entries(found)) faults[`${prefix}${field}`] = messages
}

const faultsOf = ({ data, timestamp }: EventInput, { check, isActive }: Kind, now: Date): Faults | undefined => {
  const faults: Faults = {}
  if (isActive === false) faults['type'] = ['This type of events is switched off.']
  for (const [field, messages] of Object.entries(check?.(data) ?? {}))
    faults[field === 'non_field_errors' ? 'data' : `data.${field}`] = messages
  for (const path of inexactNumbers(data, 'data')) faults[path] ??= ['The number does not fit in 53 bits; use a text.']
  const problem = timestamp === undefined ? undefined : timeProblem(timestamp, now)
  if (problem !== undefined) faults['timestamp'] = [problem]
  return Object.keys(faults).length === 0 ? undefined : faults
}

const timeProblem = (text: string, now: Date): string | undefined => {
  const time = parseTime(text)
  if (time === undefined) return notATime
  return time.getTime() - now.getTime() > maxAheadMs ? 'This is more than 5 minutes in the future.' : undefined
}

/** What was checked can be trusted to be what its type says. */
const toReadEvent = ({ id, data, object: named, timestamp }: EventInput, type: string, { about }: Kind): ReadEvent => {
  const occurredAt = timestamp === undefined ? undefined : parseTime(timestamp)
  const object = named === undefined ? { type: about, id: idOf(data) ?? id } : { ...named, id: String(named.id) }
  const event = { type, data, scope, object, ...(occurredAt === undefined ? {} : { occurredAt }) } as NewEvent
  const text = canonicalText(data)
  const content = [type, occurredAt?.toISOString() ?? '', text]
  // Hashes that are stored already are of events that name no object.
  if (named !== undefined) content.push(canonicalText(object))
  return { id, contentHash: contentHash(content.join(' ')), event, characters: text.length }
}

/** The id of the object that data show; undefined where they have none that an object could have. */
const idOf = ({ id }: JsonObject): string | number | undefined => {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && id.length > 0 && id.length <= maxObjectId ? id : undefined
}

/** JSON with the fields of every object in the order of their names (RFC 8785): the same text for the same content. */
export const canonicalText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(fields[name])}`).join(',')}}`
}

/**
 * Paths of the integers that do not fit in 53 bits. Reading them has rounded them already, and what is
 * delivered has to be what was sent.
 */
const inexactNumbers = (value: unknown, path: string): string[] => {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => inexactNumbers(field, `${path}.${name}`))
}
