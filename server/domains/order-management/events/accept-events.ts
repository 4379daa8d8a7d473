import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict } from '#platform/errors.ts'
import type { ReadEvent } from './read-events.ts'
import { findOtherContent, takeIds } from './store.ts'

export interface Acceptance {
  readonly tx: Tx
  readonly outbox: Outbox
  /** Whose ids they are. */
  readonly userId: number
}

/** Ids named in one answer. */
const maxNamed = 20

/**
 * Raises the events whose ids their caller has not used yet. What has the same id and content, here or in an
 * earlier request, is one event.
 *
 * Ids are taken before the outbox locks the counters of objects: every request takes its locks in this order.
 * @throws AppError 409 when an id stands for something else; then the transaction has to be given up.
 */
export const acceptEvents = async (
  { tx, outbox, userId }: Acceptance,
  events: readonly ReadEvent[],
): Promise<{ accepted: number; duplicates: number }> => {
  const byId = new Map<string, ReadEvent>()
  const differing = new Set<string>()
  for (const event of events) {
    const first = byId.get(event.id)
    if (first === undefined) byId.set(event.id, event)
    else if (first.contentHash !== event.contentHash) differing.add(event.id)
  }
  if (differing.size > 0) throw idReused([...differing])

  const unique = [...byId.values()]
  const taken = await takeIds(tx, userId, unique)
  const known = unique.filter(({ id }) => !taken.has(id))
  if (known.length > 0) {
    const others = await findOtherContent(tx, userId, known)
    if (others.length > 0) throw idReused(others)
  }
  await outbox.append(
    tx,
    unique.filter(({ id }) => taken.has(id)).map(({ event }) => event),
  )
  return { accepted: taken.size, duplicates: events.length - taken.size }
}

const idReused = (ids: readonly string[]) => {
  const named = ids.slice(0, maxNamed).join(', ')
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''
  return conflict('event_id_reused', `These ids stand for other events already: ${named}${more}.`)
}
