import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { countRecovery, countRetry, retriedBy, type RecoveryRequest, type RetryRequest } from './redelivery-requests.ts'
import { findWanted, windowOf as eventWindowOf } from './recover-step.ts'
import { retryable, windowOf as deliveryWindowOf } from './retry-step.ts'

/** One of the deliveries that a job would queue. */
export interface PreviewedDelivery {
  readonly event: number
  readonly eventType: string
  readonly objectType: string | null
  readonly objectId: string | null
  readonly occurredAt: Date
  readonly subscriptionId: number
  /** null where the event has none yet. */
  readonly deliveryId: number | null
}

/** What a job would queue, without starting it. */
export interface Preview {
  readonly count: number
  /** Whether `count` is all of it; else there are more ids than are looked at. */
  readonly isExact: boolean
  /** The first of them. */
  readonly sample: readonly PreviewedDelivery[]
}

const sampleSize = 5
/** Ids among which the sample is looked for, as far as the count looks. */
const examinedForSample = 200_000
const nothing: Preview = { count: 0, isExact: true, sample: [] }

/** What a recovery would queue now; nothing when there is no such subscription. */
export const previewRecovery = async (
  tx: Tx,
  request: Pick<RecoveryRequest, 'subscriptionId' | 'since' | 'onlyMissing'>,
  settleMs: number,
): Promise<Preview> => {
  const counted = await countRecovery(tx, request, settleMs)
  if (counted === undefined) return nothing
  const { count, isExact, position, last } = counted
  const window = await eventWindowOf(tx, { position, last, max: examinedForSample }, 0)
  const { subscriptionId, onlyMissing } = request
  const search = { subscriptionId, onlyMissing, window, lastAtStart: window.end, limit: sampleSize }
  const found = count === 0 ? [] : await findWanted(tx, search)
  return {
    count,
    isExact,
    sample: await describe(
      tx,
      found.map(({ key, deliveryId }) => ({ event: key, deliveryId, subscriptionId })),
    ),
  }
}

/** What a retry would queue now. */
export const previewRetry = async (
  tx: Tx,
  { filter, force }: Pick<RetryRequest, 'filter' | 'force'>,
): Promise<Preview> => {
  const retried = retriedBy(filter, force)
  const { count, isExact, position, last } = await countRetry(tx, retried)
  if (count === 0) return { count, isExact, sample: [] }
  const window = await deliveryWindowOf(tx, retried, { position, last, max: examinedForSample })
  const found = await retryable(tx, retried, window)
    .select(['deliveries.eventId as event', 'deliveries.id as deliveryId', 'deliveries.subscriptionId'])
    .orderBy('deliveries.id')
    .limit(sampleSize)
    .execute()
  return { count, isExact, sample: await describe(tx, found) }
}

type Found = Pick<PreviewedDelivery, 'event' | 'deliveryId' | 'subscriptionId'>

const describe = async (tx: Tx, found: readonly Found[]): Promise<PreviewedDelivery[]> => {
  const { rows } = await sql<Omit<PreviewedDelivery, 'deliveryId' | 'subscriptionId'>>`
    select id as event, type as event_type, object_type, object_id, occurred_at from events
    where id = any(${found.map(({ event }) => event)}::bigint[])`.execute(tx)
  const events = new Map(rows.map((row) => [row.event, row]))
  return found.flatMap((one) => {
    const event = events.get(one.event)
    return event === undefined ? [] : { ...event, ...one }
  })
}
