import { setTimeout as sleep } from 'node:timers/promises'
import { inEnvelope } from '#delivery/tables/envelope.ts'
import type { AttemptOutcome, DeliveryStatus } from '#delivery/tables/tables.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import type { Db } from '#platform/db/database.ts'
import { pauseAfter } from './until.ts'

/** A delivery with its event and its log, as the database has them. */
export interface DeliveryRecord {
  readonly webhookId: string
  readonly subscriptionId: number
  readonly type: string
  readonly objectId: string
  readonly sequence: number
  /** What is sent. */
  readonly body: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly log: readonly { readonly number: number; readonly outcome: AttemptOutcome; readonly startedAt: Date }[]
}

/** Everything that was to be delivered, the oldest first. */
export const readDeliveries = async (db: Db): Promise<DeliveryRecord[]> => {
  const { id: installation } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select([
      'deliveries.id',
      'subscriptionId',
      'type',
      'deliveries.objectId',
      'events.sequence',
      'body',
      'envelope',
      'status',
      'attempts',
    ])
    .orderBy('deliveries.id')
    .execute()
  const attempts = await db
    .selectFrom('attempts')
    .select(['deliveryId', 'number', 'outcome', 'startedAt'])
    .orderBy('number')
    .execute()
  const logs = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map(({ id, objectId, sequence, envelope, ...row }) => {
    const webhookId = webhookIdOf(id, installation)
    return {
      ...row,
      webhookId,
      body: inEnvelope(row.body, { envelope, eventType: row.type, webhookId }),
      objectId: objectId ?? '',
      sequence: sequence ?? 0,
      log: logs.get(id) ?? [],
    }
  })
}

/** How many attempts of a delivery ended in one of these ways. */
export const logged = ({ log }: Pick<DeliveryRecord, 'log'>, ...outcomes: AttemptOutcome[]): number =>
  log.filter(({ outcome }) => outcomes.includes(outcome)).length

/** Waits until nothing is pending. @throws when that takes longer than it may. */
export const drained = async (db: Db, withinMs: number): Promise<void> => {
  const startedAt = performance.now()
  for (;;) {
    const { count } = await db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    if (count === 0) return
    const waitedMs = performance.now() - startedAt
    if (waitedMs > withinMs) throw new Error(`${count} deliveries are still pending.`)
    await sleep(pauseAfter(waitedMs, 5))
  }
}
