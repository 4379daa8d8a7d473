import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { existing } from '#delivery/surface/surface.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Flow, FullFlow, OutboundFlow } from './flow.ts'
import { changedSettings, newSettings, type FlowBody } from './flow-input.ts'
import { disabledReasonsOf } from './store.ts'

export interface FlowSubscriptionDeps {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
}

/** The engine's part of outbound flows: each has one subscription. */
export const makeFlowSubscriptions = ({ clock, subscriptions, redeliveries }: FlowSubscriptionDeps) => {
  /** What was kept while the engine had the target switched off is sent now: nobody else would ask for it. */
  const sendHeld = (tx: Tx, subscriptionId: number): Promise<unknown> =>
    redeliveries.startRetry(
      tx,
      { filter: { subscriptionIds: [subscriptionId], statuses: ['held'] }, force: false, requestedBy: null },
      clock.now(),
    )

  return {
    /** @returns the id of the new subscription. @throws AppError 400 without a target, and for a mask. */
    create: (tx: Tx, flowId: number, body: FlowBody): Promise<number> =>
      subscriptions.create(tx, newSettings(flowId, body)),

    /** Switched off by a person is off for good, also where the engine was trying the target now and then. */
    async change(tx: Tx, { subscriptionId }: OutboundFlow, body: FlowBody): Promise<void> {
      const stored = existing(await subscriptions.find(tx, subscriptionId))
      const { target, headers, secret, is_active: isActive } = body
      if ([target, headers, secret, isActive].every((value) => value === undefined)) return
      await subscriptions.replace(tx, subscriptionId, changedSettings(body, stored))
      if (isActive === false) await subscriptions.switchOff(tx, [subscriptionId], 'switched off')
      if (isActive === true && !stored.isActive) await sendHeld(tx, subscriptionId)
    },

    /** What is still due is never sent; the history stays. */
    remove: (tx: Tx, { subscriptionId }: OutboundFlow): Promise<void> => subscriptions.remove(tx, subscriptionId),

    /** The flows with the settings of their subscriptions, without those that were removed since they were read. */
    async complete(db: Db | Tx, flows: readonly Flow[]): Promise<FullFlow[]> {
      const ids = flows.flatMap((flow) => (flow.direction === 'outbound' ? [flow.subscriptionId] : []))
      const settingsOf = await subscriptions.findAll(db, ids)
      const reasons = await disabledReasonsOf(db, ids)
      return flows.flatMap((flow): FullFlow[] => {
        if (flow.direction === 'inbound') return [flow]
        const settings = settingsOf.get(flow.subscriptionId)
        const disabledReason = reasons.get(flow.subscriptionId) ?? null
        return settings === undefined ? [] : [{ ...flow, settings, disabledReason }]
      })
    },
  }
}

export type FlowSubscriptions = ReturnType<typeof makeFlowSubscriptions>
