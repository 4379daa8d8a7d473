import type { Tx } from '#platform/db/database.ts'
import { matches, readDeliveryFilter, type DeliveryFilter } from '../log/delivery-filter.ts'
import { lockDeliveries, putBack } from './put-back.ts'
import { doableOf, examinedInStep, waitAfter, type StepResult, type Window } from './redelivery-step.ts'
import type { Redelivery } from './redelivery-store.ts'

/** One step of a retry: deliveries that match the job's filter and whose subscription still exists, oldest first. */
export const retryStep = async (tx: Tx, job: Redelivery, now: Date): Promise<StepResult> => {
  const { position, last, perSecond } = job
  const filter = readDeliveryFilter(job.filter.deliveries ?? { subscriptionIds: [] })
  const window = await windowOf(tx, filter, { position, last, most: examinedInStep })
  const found = await retryable(tx, filter, window)
    .select(['deliveries.id as key', 'deliveries.id as deliveryId', 'deliveries.status'])
    .orderBy('deliveries.id')
    .limit(perSecond)
    .execute()
  const locked = await lockDeliveries(
    tx,
    found.map(({ key }) => key),
    now,
  )
  // A full step ends at its last delivery; the rest of the window is for the next one.
  const end = found.length < perSecond ? window.end : (found.at(-1)?.key ?? window.end)
  const { doable, position: reached } = doableOf(found, locked, end)

  // Between the search and the lock, another job may have queued one, or an attempt by hand delivered it.
  const statuses = new Map(doable.map(({ key, status }) => [key, status]))
  const again = locked.filter(({ id, status }) => statuses.get(id) === status)
  const queued = await putBack(tx, again, now)
  return {
    position: reached,
    queued: queued.map(({ subscriptionId }) => subscriptionId),
    status: reached >= last ? 'done' : 'running',
    waitMs: waitAfter(window, found.length),
  }
}

/** Deliveries above `start` and up to `end` that match and can be sent to somebody. */
export const retryable = (tx: Tx, filter: DeliveryFilter, { start, end }: Pick<Window, 'start' | 'end'>) =>
  tx
    .selectFrom('deliveries')
    .where((eb) => matches(eb, filter))
    .where('deliveries.id', '>', start)
    .where('deliveries.id', '<=', end)
    .where((eb) =>
      eb(
        'deliveries.subscriptionId',
        'in',
        eb.selectFrom('subscriptions').select('subscriptions.id').where('subscriptions.deletedAt', 'is', null),
      ),
    )

interface Range {
  readonly position: number
  readonly last: number
  readonly most: number
}

/** The next `most` deliveries of the filter's subscriptions, whether or not they match the rest of it. */
export const windowOf = async (tx: Tx, filter: DeliveryFilter, { position, last, most }: Range): Promise<Window> => {
  if (namesFew(filter)) return { start: position, end: last, isFull: false }
  const { subscriptionIds } = filter
  const edge = await tx
    .selectFrom('deliveries')
    .where((eb) => matches(eb, { subscriptionIds }))
    .where('deliveries.id', '>', position)
    .where('deliveries.id', '<=', last)
    .select('deliveries.id')
    .orderBy('deliveries.id')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
  return { start: position, end: edge?.id ?? last, isFull: edge !== undefined }
}

/** One delivery, or those of one object: an index leads to them, however many others there are. */
const namesFew = ({ id, objectType, objectId }: DeliveryFilter): boolean =>
  id !== undefined || (objectType !== undefined && objectId !== undefined)
