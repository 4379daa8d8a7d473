import type { Tx } from '#platform/db/database.ts'
import { matches, readDeliveryFilter, type DeliveryFilter } from '../log/delivery-filter.ts'
import { examinedInStep, queueFound, type Range, type StepResult, type Window } from './redelivery-step.ts'
import type { Redelivery } from './redelivery-store.ts'

/** One step of a retry: deliveries that match the job's filter and whose subscription still exists, oldest first. */
export const retryStep = async (tx: Tx, job: Redelivery, now: Date): Promise<StepResult> => {
  const filter = readDeliveryFilter(job.filter.deliveries ?? { subscriptionIds: [] })
  const window = await windowOf(tx, filter, { ...job, max: examinedInStep })
  const found = await retryable(tx, filter, window)
    .select(['deliveries.id as key', 'deliveries.id as deliveryId', 'deliveries.status'])
    .orderBy('deliveries.id')
    .limit(job.perSecond)
    .execute()
  return queueFound(tx, job, { window, found, isStill: (status, wanted) => status === wanted.status }, now)
}

/** Deliveries above `start` and up to `end` that match and can be sent to somebody. */
export const retryable = (tx: Tx, filter: DeliveryFilter, { start, end }: Pick<Window, 'start' | 'end'>) =>
  tx
    .selectFrom('deliveries')
    .where(matches(filter))
    .where('deliveries.id', '>', start)
    .where('deliveries.id', '<=', end)
    .where((eb) =>
      eb(
        'deliveries.subscriptionId',
        'in',
        eb.selectFrom('subscriptions').select('subscriptions.id').where('subscriptions.deletedAt', 'is', null),
      ),
    )

/** The next `max` deliveries of the filter's subscriptions, whether or not they match the rest of it. */
export const windowOf = async (tx: Tx, filter: DeliveryFilter, { position, last, max }: Range): Promise<Window> => {
  if (namesFew(filter)) return { start: position, end: last, isFull: false }
  const { subscriptionIds } = filter
  const edge = await tx
    .selectFrom('deliveries')
    .where(matches({ subscriptionIds }))
    .where('deliveries.id', '>', position)
    .where('deliveries.id', '<=', last)
    .select('deliveries.id')
    .orderBy('deliveries.id')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
  return { start: position, end: edge?.id ?? last, isFull: edge !== undefined }
}

/** One delivery, or those of one object: an index leads to them, however many others there are. */
const namesFew = ({ id, objectType, objectId }: DeliveryFilter): boolean =>
  id !== undefined || (objectType !== undefined && objectId !== undefined)
