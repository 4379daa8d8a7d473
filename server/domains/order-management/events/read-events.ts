import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { ContentType } from '#events/content-types.ts'
import { orderManagementEvents } from '#events/order-management.ts'
import { contentHash } from '#platform/crypto/digests.ts'
import { invalidFields } from '#platform/errors.ts'
import { compileFieldCheck, type FieldCheck } from '#platform/http/errors/field-errors.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import { canonicalEventName, unknownEventMessage } from '../hooks/index.ts'
import type { EventInput } from './schemas.ts'

/** An event that can be raised, under its caller's id. */
export interface ReadEvent {
  readonly id: string
  readonly contentHash: string
  readonly event: NewEvent
}

/** Whose webhooks get the events: those of order management. */
const scope = 'back-office'
/** Clocks differ. */
const maxAheadMs = 300_000
/** Fields named in one answer. */
const maxNamed = 20

type Faults = Record<string, readonly string[]>
interface Kind {
  readonly about: ContentType
  readonly check: FieldCheck
}

/**
 * Makes what checks events against the catalogue, and turns them into what the outbox takes.
 * The returned function throws AppError 400 naming up to 20 fields.
 */
export const makeReadEvents = () => {
  const kinds = new Map<string, Kind>(
    Object.entries(orderManagementEvents).map(([type, { about, schema }]) => [
      type,
      { about, check: compileFieldCheck(schema) },
    ]),
  )
  const names = [...kinds.keys()]

  return (body: EventInput | readonly EventInput[], now: Date): readonly ReadEvent[] => {
    const inputs = isMany(body) ? body : [body]
    const events: ReadEvent[] = []
    const faults: Faults = {}
    for (const [index, input] of inputs.entries()) {
      const type = canonicalEventName(input.type)
      const kind = kinds.get(type)
      const found =
        kind === undefined
          ? { type: [unknownEventMessage(input.type, names, whereNamesAre)] }
          : faultsOf(input, kind, now)
      if (kind !== undefined && found === undefined) events.push(toReadEvent(input, type, kind))
      else addFaults(faults, isMany(body) ? `${index}.` : '', found)
      if (Object.keys(faults).length >= maxNamed) break
    }
    if (Object.keys(faults).length > 0)
      throw invalidFields(Object.fromEntries(Object.entries(faults).slice(0, maxNamed)))
    return events
  }
}

const whereNamesAre = 'The description of this operation lists all of them.'

const isMany = (body: EventInput | readonly EventInput[]): body is readonly EventInput[] => Array.isArray(body)

const addFaults = (faults: Faults, prefix: string, found: Faults = {}): void => {
  for (const [field, messages] of Object.entries(found)) faults[`${prefix}${field}`] = messages
}

const faultsOf = ({ data, timestamp }: EventInput, { check }: Kind, now: Date): Faults | undefined => {
  const faults: Faults = {}
  addFaults(faults, 'data.', check(data))
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
const toReadEvent = ({ id, data, timestamp }: EventInput, type: string, { about }: Kind): ReadEvent => {
  const occurredAt = timestamp === undefined ? undefined : parseTime(timestamp)
  const object = { type: about, id: data['id'] }
  const event = { type, data, scope, object, ...(occurredAt === undefined ? {} : { occurredAt }) } as NewEvent
  const content = `${type} ${occurredAt?.toISOString() ?? ''} ${canonicalText(data)}`
  return { id, contentHash: contentHash(content), event }
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
