import type { Acceptance, Arrival, Outbox } from '#delivery/outbox/outbox.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { isDataError } from '#platform/db/sql-errors.ts'
import { conflict } from '#platform/errors.ts'
import { currentTraceparent, inSpan } from '#platform/tracing/tracing.ts'
import { shareRuns } from '#platform/share-runs.ts'

/** How many events of a request were raised, and how many had been before. */
interface Accepted {
  readonly accepted: number
  readonly duplicates: number
}

/** Ids named in one answer. */
const maxNamed = 20

/**
 * Raises the events whose ids their user has not used yet. What has the same id and content, here or in an
 * earlier request, is one event.
 * @param events of one user.
 * @throws AppError 409 when an id stands for something else; then the transaction has to be given up.
 */
export const acceptEvents = async (tx: Tx, outbox: Outbox, events: readonly Arrival[]): Promise<Accepted> => {
  const byId = new Map<string, Arrival>()
  const differing = new Set<string>()
  for (const event of events) {
    const first = byId.get(event.id)
    if (first === undefined) byId.set(event.id, event)
    else if (first.contentHash !== event.contentHash) differing.add(event.id)
  }
  if (differing.size > 0) throw idReused([...differing])

  const unique = [...byId.values()]
  const acceptances = await outbox.accept(tx, unique)
  const reused = unique.filter((_, index) => acceptances[index] === 'id_reused')
  if (reused.length > 0) throw idReused(reused.map(({ id }) => id).toSorted())
  const accepted = acceptances.filter((acceptance) => acceptance === 'accepted').length
  return { accepted, duplicates: events.length - accepted }
}

interface SizedArrival extends Arrival {
  /** Of its data as JSON. */
  readonly characters: number
}

/** Events of different requests in one statement: more would make the first of them wait for a long answer. */
const maxShared = 250
/** Characters of their data, of which a process holds several copies meanwhile. */
const maxSharedCharacters = 4_194_304

/**
 * Makes what raises single events: those of requests that come while others are being stored share the next statement, and
 * each gets its own answer.
 * @returns a function that throws AppError 409 when the id stands for something else.
 */
export const makeAcceptEvent = (db: Db, outbox: Outbox): ((event: SizedArrival) => Promise<Accepted>) => {
  const accept = shareRuns<SizedArrival, Acceptance>({
    run: (events) => outbox.acceptAlone(db, events),
    keyOf: ({ userId, id }) => `${userId} ${id}`,
    maxAtOnce: maxShared,
    size: { of: ({ characters }) => characters, max: maxSharedCharacters },
    isFaultOfOne: isDataError,
  })
  return async (event) => {
    const span = { name: 'append', kind: 'producer', facts: { 'waybill.event.type': event.event.type } } as const
    const acceptance = await inSpan(span, () => accept(withTrace(event)))
    if (acceptance === 'id_reused') throw idReused([event.id])
    return acceptance === 'accepted' ? { accepted: 1, duplicates: 0 } : { accepted: 0, duplicates: 1 }
  }
}

/** The statement that it shares with others runs for the first of them, whose trace is not its own. */
const withTrace = (arrival: SizedArrival): SizedArrival => {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? arrival : { ...arrival, event: { ...arrival.event, traceparent } }
}

const idReused = (ids: readonly string[]) => {
  const named = ids.slice(0, maxNamed).join(', ')
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''
  return conflict('event_id_reused', `These ids stand for other events already: ${named}${more}.`)
}
