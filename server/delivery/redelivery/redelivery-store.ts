import { sql, type ColumnType, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { StoredDeliveryFilter } from '../log/delivery-filter.ts'

/** recover: every event of one subscription since a time. retry: every delivery that matches a filter. */
export type RedeliveryKind = 'recover' | 'retry'
export type RedeliveryStatus = 'running' | 'done' | 'cancelled'

/** What a job was asked for. */
export interface RedeliveryFilter {
  /** In the words of whoever asked, to be shown again. */
  readonly asked: Readonly<Record<string, unknown>>
  /** Whether `total` is all of it; else there was more than is counted before a start. */
  readonly isExact: boolean
  /** Of a recovery: only events that have no delivery at all. */
  readonly onlyMissing?: boolean
  /** Of a retry. */
  readonly deliveries?: StoredDeliveryFilter
}

interface RedeliveriesTable {
  id: Generated<number>
  kind: RedeliveryKind
  subscriptionId: number | null
  filter: ColumnType<RedeliveryFilter, string, never>
  /** null for the engine itself. */
  requestedBy: number | null
  /** Ids up to it are done; of events for recover, of deliveries for retry. */
  position: number
  /** Nothing above it belongs to the job. */
  last: number
  /** Counted at the start. */
  total: number
  queued: Generated<number>
  perSecond: number
  status: Generated<RedeliveryStatus>
  nextStepAt: Date
  createdAt: Date
  finishedAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    redeliveries: RedeliveriesTable
  }
}

const columns = [
  ...(['id', 'kind', 'subscriptionId', 'filter', 'requestedBy', 'position', 'last'] as const),
  ...(['total', 'queued', 'perSecond', 'status', 'createdAt', 'finishedAt'] as const),
] as const

/** A job that puts deliveries back in the queue, so many a second. */
export type Redelivery = Pick<Selectable<RedeliveriesTable>, (typeof columns)[number]>

export type NewRedelivery = Omit<Redelivery, 'id' | 'queued' | 'status' | 'createdAt' | 'finishedAt'>

/** Whose jobs a reader may see: everybody's, or their own and those of their subscriptions. */
export type VisibleRedeliveries = 'all' | { readonly requestedBy: number; readonly subscriptionIds: readonly number[] }

export const insertRedelivery = async (tx: Tx, { filter, ...row }: NewRedelivery, now: Date): Promise<number> => {
  const { id } = await tx
    .insertInto('redeliveries')
    .values({ ...row, filter: JSON.stringify(filter), nextStepAt: now, createdAt: now, finishedAt: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** No step is planned further ahead than this; one that is was put there by a clock that jumped. */
const maxWaitMs = 60_000

/** The job that has waited longest for its next step; other processes pass it by until the transaction ends. */
export const takeDueRedelivery = (tx: Tx, now: Date): Promise<Redelivery | undefined> =>
  tx
    .selectFrom('redeliveries')
    .select(columns)
    .where('status', '=', 'running')
    .where((eb) => eb.or([eb('nextStepAt', '<=', now), eb('nextStepAt', '>', new Date(now.getTime() + maxWaitMs))]))
    .orderBy('nextStepAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** @param queued how many deliveries the step queued. */
export const writeStep = (
  tx: Tx,
  id: number,
  { queued, ...step }: Pick<Redelivery, 'position' | 'queued' | 'status'> & { readonly nextStepAt: Date },
  now: Date,
): Promise<unknown> =>
  tx
    .updateTable('redeliveries')
    .set({ ...step, queued: sql`queued + ${queued}`, finishedAt: step.status === 'running' ? null : now })
    .where('id', '=', id)
    .execute()

/** A job whose step failed lets the others go first. */
export const postponeRedelivery = (db: Db, id: number, until: Date): Promise<unknown> =>
  db
    .updateTable('redeliveries')
    .set({ nextStepAt: until })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()

/** When the next step is due; undefined while nothing runs. */
export const nextStepAt = async (db: Db): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('redeliveries')
    .select('nextStepAt')
    .where('status', '=', 'running')
    .orderBy('nextStepAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextStepAt
}

/** The recovery of a subscription that runs; the newest if there are several. */
export const findRunningRecovery = async (tx: Tx, subscriptionId: number): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('redeliveries')
    .select('id')
    .where('subscriptionId', '=', subscriptionId)
    .where('kind', '=', 'recover')
    .where('status', '=', 'running')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

export const findRedelivery = (
  db: Db | Tx,
  id: number,
  visible: VisibleRedeliveries,
): Promise<Redelivery | undefined> => seen(db, visible).select(columns).where('id', '=', id).executeTakeFirst()

export const redeliveryList = defineList({
  defaultOrdering: '-id',
  filters: { created_date: time('createdAt', 'Asked for') },
})

/** The newest first. */
export const listRedeliveries = (db: Db, visible: VisibleRedeliveries, page: Page): Promise<Rows<Redelivery>> =>
  readList(db, redeliveryList, page, seen(db, visible).select(columns))

/** Ends a job; a step that is under way is waited for. @returns false when it had ended already. */
export const cancelRedelivery = async (tx: Tx, id: number, now: Date): Promise<boolean> =>
  (await cancelRunning(tx, { id }, now)) > 0

/** Ends every job that a user asked for: they may not ask for it any more. @returns how many jobs that were. */
export const cancelRedeliveriesOf = (tx: Tx, userId: number, now: Date): Promise<number> =>
  cancelRunning(tx, { requestedBy: userId }, now)

const cancelRunning = async (tx: Tx, which: { id: number } | { requestedBy: number }, now: Date): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('redeliveries')
    .set({ status: 'cancelled', finishedAt: now })
    .where((eb) => eb.and({ ...which, status: 'running' }))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const seen = (db: Db | Tx, visible: VisibleRedeliveries) => {
  const query = db.selectFrom('redeliveries')
  if (visible === 'all') return query
  return query.where((eb) =>
    eb.or([
      eb('requestedBy', '=', visible.requestedBy),
      sql<boolean>`subscription_id = any(${[...visible.subscriptionIds]}::bigint[])`,
    ]),
  )
}
