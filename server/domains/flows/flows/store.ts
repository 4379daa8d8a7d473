import { sql, type Generated, type Selectable } from 'kysely'
import { troubled } from '#delivery/health/troubled.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Direction, DisabledReason, Flow, OutboundFlow } from './flow.ts'

interface FlowsTable {
  id: Generated<number>
  direction: Direction
  subscriptionId: number | null
  isActive: boolean | null
  name: string
  createdBy: number
  createdAt: Date
  modifiedAt: Date
  removedAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    flows: FlowsTable
  }
}

const columns = ['id', 'direction', 'subscriptionId', 'isActive', 'name', 'createdAt', 'modifiedAt'] as const
type Row = Omit<Selectable<FlowsTable>, 'createdBy' | 'removedAt'>

const flowOf = ({ id, name, createdAt, modifiedAt, subscriptionId, isActive }: Row): Flow => {
  const about = { id, name, createdAt, modifiedAt }
  return subscriptionId === null
    ? { ...about, direction: 'inbound', isActive: isActive === true }
    : { ...about, direction: 'outbound', subscriptionId }
}

const found = (row: Row | undefined): Flow | undefined => row && flowOf(row)

/** An id for a new flow, which its subscription has to know before there is one. */
export const nextFlowId = async (tx: Tx): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('flows', 'id')) as id`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The sequence of flows gave no id.')
  return row.id
}

export const insertFlow = async (tx: Tx, flow: Flow, createdBy: number): Promise<void> => {
  const own = flow.direction === 'inbound' ? { subscriptionId: null } : { isActive: null }
  await tx
    .insertInto('flows')
    .values({ ...flow, ...own, createdBy, removedAt: null })
    .execute()
}

/** The switch is written where it is the flow's own; the subscription has that of an outbound one. */
export const updateFlow = async (tx: Tx, flow: Flow): Promise<void> => {
  const { id, name, modifiedAt } = flow
  await tx
    .updateTable('flows')
    .set({ name, modifiedAt, ...(flow.direction === 'inbound' ? { isActive: flow.isActive } : {}) })
    .where('id', '=', id)
    .execute()
}

export const markRemoved = (tx: Tx, id: number, now: Date): Promise<unknown> =>
  tx.updateTable('flows').set({ removedAt: now, modifiedAt: now }).where('id', '=', id).execute()

const live = (db: Db | Tx) => db.selectFrom('flows').select(columns).where('removedAt', 'is', null)

/** The flow, unless it was removed. */
export const findFlow = async (db: Db | Tx, id: number): Promise<Flow | undefined> =>
  found(await live(db).where('id', '=', id).executeTakeFirst())

/** Like findFlow, and nobody changes or removes it until the transaction ends. Any number can hold it at once. */
export const holdFlow = async (tx: Tx, id: number): Promise<Flow | undefined> =>
  found(await live(tx).where('id', '=', id).forShare().executeTakeFirst())

/** Like findFlow, and neither people nor the engine change it or its subscription until the transaction ends. */
export const lockFlow = async (tx: Tx, id: number): Promise<Flow | undefined> => {
  const row = await live(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.subscriptionId !== null && row !== undefined)
    await tx.selectFrom('subscriptions').select('id').where('id', '=', row.subscriptionId).forUpdate().execute()
  return found(row)
}

/** Like findFlow, those that were removed included. */
export const findFlowWithRemoved = async (db: Db | Tx, id: number): Promise<Flow | undefined> =>
  found(await db.selectFrom('flows').select(columns).where('id', '=', id).executeTakeFirst())

export const flowList = defineList({
  filters: { created_at: time('createdAt', 'Made'), modified_at: time('modifiedAt', 'Changed') },
})

/** The oldest first. */
export const listFlows = async (db: Db, page: Page): Promise<Rows<Flow>> =>
  mapRows(await readList(db, flowList, page, live(db)), flowOf)

/** Every outbound flow. */
export const listOutboundFlows = async (db: Db): Promise<readonly OutboundFlow[]> => {
  const rows = await live(db).where('direction', '=', 'outbound').execute()
  return rows.map(flowOf).filter((flow) => flow.direction === 'outbound')
}

/** Why the engine has switched subscriptions off, by their ids; without those that are on, or that a person has switched off. */
export const disabledReasonsOf = async (
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DisabledReason>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscriptions')
    .select(['id', 'disabledReason'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('isActive', '=', false)
    .where('disabledReason', 'in', ['failing', 'gone'])
    .execute()
  return new Map(rows.map(({ id, disabledReason }) => [id, disabledReason as DisabledReason]))
}

/** How many flows fail, and how many the server has switched off. */
export const countTroubledFlows = (db: Db) =>
  db
    .selectFrom('flows')
    .innerJoin('subscriptions', 'subscriptions.id', 'flows.subscriptionId')
    .select(troubled)
    .where('flows.removedAt', 'is', null)
    .executeTakeFirstOrThrow()

/** Whether a flow with this subscription takes data: not when a person has switched it off. */
export const takesData = async (db: Db | Tx, subscriptionId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', subscriptionId)
    .where((eb) => eb.or([eb('isActive', '=', true), eb('disabledReason', 'in', ['failing', 'gone'])]))
    .executeTakeFirst()
  return row !== undefined
}

/** A flow as messages about it name it. */
export interface NamedFlow {
  readonly id: number
  readonly name: string
  readonly createdBy: number
}

/** The flow of a subscription; undefined when the subscription is no flow's. */
export const findFlowOfSubscription = (db: Db | Tx, subscriptionId: number): Promise<NamedFlow | undefined> =>
  db
    .selectFrom('flows')
    .select(['id', 'name', 'createdBy'])
    .where('subscriptionId', '=', subscriptionId)
    .executeTakeFirst()
