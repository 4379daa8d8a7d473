import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { changeSettings } from '#delivery/surface/owned.ts'
import { existing } from '#delivery/surface/surface.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import type { Direction, Flow, FullFlow } from './flow.ts'
import { checkDirection, checkFields, newSettings, sentSettings, settingsFields, type FlowBody } from './flow-input.ts'
import {
  disabledReasonsOf,
  findFlow,
  insertFlow,
  listFlows,
  lockFlow,
  markRemoved,
  nextFlowId,
  updateFlow,
} from './store.ts'

export interface ManageFlowsDeps {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
  readonly checkUrl: CheckUrl
}

/** The flows. Every function that writes does all of it in the transaction it is given, and all lock the flow before its subscription. */
export const makeManageFlows = ({ checkUrl, ...deps }: ManageFlowsDeps) => {
  const { clock, subscriptions } = deps

  /** With the settings of their subscriptions, without those that were removed since they were read. */
  const complete = async (db: Db | Tx, flows: readonly Flow[]): Promise<FullFlow[]> => {
    const ids = flows.flatMap((flow) => (flow.direction === 'outbound' ? [flow.subscriptionId] : []))
    const settingsOf = await subscriptions.findAll(db, ids)
    const reasons = await disabledReasonsOf(db, ids)
    return flows.flatMap((flow): FullFlow[] => {
      if (flow.direction === 'inbound') return [flow]
      const settings = settingsOf.get(flow.subscriptionId)
      const disabledReason = reasons.get(flow.subscriptionId) ?? null
      return settings === undefined ? [] : [{ ...flow, settings, disabledReason }]
    })
  }

  const completed = async (db: Db | Tx, flow: Flow | undefined): Promise<FullFlow> =>
    existing((await complete(db, [existing(flow)]))[0])

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
          : { ...about, direction, subscriptionId: await subscriptions.create(tx, newSettings(about.id, body)) }
      await insertFlow(tx, flow, userId)
      return completed(tx, flow)
    },

    /** @throws AppError 404; 400 that names every field that is wrong, or has to be sent again. */
    async change(tx: Tx, id: number, body: FlowBody): Promise<FullFlow> {
      checkFields(body, checkUrl)
      const before = existing(await lockFlow(tx, id))
      checkDirection(body, before.direction)
      if (before.direction === 'outbound')
        await changeSettings(tx, deps, before.subscriptionId, { sent: sentSettings(body), fields: settingsFields })
      const switched = before.direction === 'inbound' ? { isActive: body.is_active ?? before.isActive } : {}
      const after: Flow = { ...before, name: body.name ?? before.name, modifiedAt: clock.now(), ...switched }
      await updateFlow(tx, after)
      return completed(tx, after)
    },

    /** Ends what is still due; the history stays. @throws AppError 404. */
    async remove(tx: Tx, id: number): Promise<void> {
      const flow = existing(await lockFlow(tx, id))
      await markRemoved(tx, id, clock.now())
      if (flow.direction === 'outbound') await subscriptions.remove(tx, flow.subscriptionId)
    },

    find: async (db: Db, id: number): Promise<FullFlow> => completed(db, await findFlow(db, id)),

    async list(db: Db, page: Page): Promise<Rows<FullFlow>> {
      const { rows, ...found } = await listFlows(db, page)
      return { ...found, rows: await complete(db, rows) }
    },
  }
}

export type ManageFlows = ReturnType<typeof makeManageFlows>
