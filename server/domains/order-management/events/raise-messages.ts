import type { Raised, RaiseMessages } from '#delivery/inbound/event-source.ts'
import type { SourceMessage } from '#delivery/inbound/source.ts'
import type { Arrival, Outbox } from '#delivery/outbox/outbox.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Db } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { compileFieldCheck } from '#platform/http/errors/field-errors.ts'
import { parseJsonBody } from '#platform/http/json-body.ts'
import type { EventTypes } from '../event-types/index.ts'
import { acceptEvents } from './accept-events.ts'
import { makeReadEvents } from './read-events.ts'
import { maxEvents, raise, type EventInput } from './schemas.ts'

/** As of a request. */
const maxBytes = 1_048_576
/** Characters of a reason, which is a header. */
const maxReason = 1_000
/** Refusals of the moment: the types of the events are not checked for a few seconds. */
const passing: ReadonlySet<string> = new Set(['check_too_long'])

/**
 * Makes what raises the events of messages as `POST /api/v1/events/` does: the same checks, the same ids, all of a message or
 * nothing. Messages that come together share a transaction, in their order.
 */
export const makeRaiseMessages = (deps: {
  readonly db: Db
  readonly clock: Clock
  readonly outbox: Outbox
  readonly eventTypes: Pick<EventTypes, 'recent'>
}): RaiseMessages => {
  const { db, clock, outbox } = deps
  const readEvents = makeReadEvents(db, deps.eventTypes)
  const check = compileFieldCheck(raise.schema.body)

  const read = async ({ body, id }: SourceMessage, userId: number): Promise<readonly Arrival[]> => {
    if (body.length > maxBytes) throw new AppError('too_large', 413, `A message has at most ${maxBytes} bytes.`)
    const given = withId(parseJsonBody(body), id)
    if (Array.isArray(given) && given.length > maxEvents)
      throw new AppError('too_many_events', 413, `A message has at most ${maxEvents} events.`)
    const faults = check(given)
    if (faults !== undefined)
      throw new AppError('invalid', 400, 'It has fields that are not valid.', { fields: faults })
    const events = await readEvents(given as EventInput | readonly EventInput[], { now: clock.now(), isStrict: false })
    return events.map((event) => ({ ...event, userId }))
  }
  const accept = (events: readonly Arrival[]) => inTransaction(db, (tx) => acceptEvents(tx, outbox, events))

  return async (messages, userId) => {
    const reads: (readonly Arrival[] | Refusal)[] = []
    for (const message of messages) reads.push(await orRefusal(() => read(message, userId)))
    const valid = reads.flatMap((one) => (isRefusal(one) ? [] : one))
    if (valid.length === 0) return reads.map(raisedOf)
    const together = await orRefusal(() => accept(valid))
    if (!isRefusal(together)) return reads.map(raisedOf)
    // One of them has an id that stands for something else: each by itself.
    const results: Raised[] = []
    for (const one of reads) results.push(raisedOf(isRefusal(one) ? one : await orRefusal(() => accept(one))))
    return results
  }
}

/** A single event without an id has that of its message. */
const withId = (given: unknown, id: string | undefined): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && !('id' in given) && id !== undefined
    ? { ...given, id }
    : given

interface Refusal {
  readonly refusal: string
}
const isRefusal = (one: object): one is Refusal => 'refusal' in one

const orRefusal = async <T>(work: () => Promise<T>): Promise<T | Refusal> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || passing.has(error.code)) throw error
    return { refusal: reasonOf(error) }
  }
}

const raisedOf = (one: object): Raised => (isRefusal(one) ? { ok: false, reason: one.refusal } : { ok: true })

/** One line of visible characters. */
const reasonOf = ({ message, details: { fields } }: AppError): string => {
  const faults = Object.entries(fields ?? {}).map(([field, messages]) => `${field}: ${messages.join(' ')}`)
  const text = faults.length === 0 ? message : faults.join(' ')
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, maxReason)
}
