import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { Page, Rows } from '#platform/http/pagination.ts'
import type { Direction, Flow, FullFlow } from './flow.ts'
import { checkDirection, checkFields, type CheckUrl, type FlowBody } from './flow-input.ts'
import type { FlowSubscriptions } from './flow-subscription.ts'
import { findFlow, insertFlow, listFlows, lockFlow, markRemoved, nextFlowId, updateFlow } from './store.ts'

export interface ManageFlowsDeps {
  readonly clock: Clock
  readonly subscriptions: FlowSubscriptions
  readonly checkUrl: CheckUrl
}

/** The flows. Every function that writes does all of it in the transaction it is given, and all lock the flow before its subscription. */
export const makeManageFlows = ({ clock, subscriptions, checkUrl }: ManageFlowsDeps) => {
  const existing = async (db: Db | Tx, flow: Flow | undefined): Promise<FullFlow> => {
    const [full] = await subscriptions.complete(db, flow === undefined ? [] : [flow])
    if (full === undefined) throw notFound()
    return full
  }

  return {
    /** @throws AppError 400 that names every field that is wrong. */
    async create(tx: Tx, userId: number, body: FlowBody & { readonly direction: Direction }): Promise<FullFlow> {
      const { direction, name = '' } = body
      checkFields(body, checkUrl)
      checkDirection(body, direction)
      const now = clock.now()
      const about = { id: await nextFlowId(tx), name, createdAt: now, modifiedAt: now }
      const flow: Flow =
        direction === 'inbound'
          ? { ...about, direction, isActive: body.is_active ?? true }
          : { ...about, direction, subscriptionId: await subscriptions.create(tx, about.id, body) }
      await insertFlow(tx, flow, userId)
      return existing(tx, flow)
    },

    /** @throws AppError 404; 400 that names every field that is wrong, or has to be sent again. */
    async change(tx: Tx, id: number, body: FlowBody): Promise<FullFlow> {
      checkFields(body, checkUrl)
      const before = await lockFlow(tx, id)
      if (before === undefined) throw notFound()
      checkDirection(body, before.direction)
      if (before.direction === 'outbound') await subscriptions.change(tx, before, body)
      const switched = before.direction === 'inbound' ? { isActive: body.is_active ?? before.isActive } : {}
      const after: Flow = { ...before, name: body.name ?? before.name, modifiedAt: clock.now(), ...switched }
      await updateFlow(tx, after)
      return existing(tx, after)
    },

    /** Ends what is still due; the history stays. @throws AppError 404. */
    async remove(tx: Tx, id: number): Promise<void> {
      const flow = await lockFlow(tx, id)
      if (flow === undefined) throw notFound()
      await markRemoved(tx, id, clock.now())
      if (flow.direction === 'outbound') await subscriptions.remove(tx, flow)
    },

    find: async (db: Db, id: number): Promise<FullFlow> => existing(db, await findFlow(db, id)),

    async list(db: Db, page: Page): Promise<Rows<FullFlow>> {
      const { rows, count } = await listFlows(db, page)
      return { rows: await subscriptions.complete(db, rows), count }
    },
  }
}

export type ManageFlows = ReturnType<typeof makeManageFlows>
