import { readHealth, type HealthReport } from '#delivery/health/health-report.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import type { Flow, FullFlow, OutboundFlow } from './flow.ts'
import { changedSettings, newSettings, type FlowBody } from './flow-input.ts'
import { disabledReasonsOf } from './store.ts'

export interface FlowSubscriptionDeps {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
}

/** A change of what signs a flow's data; a secret is made when none is named. */
export interface SecretChange {
  readonly secret: string | undefined
  readonly overlapMs: number
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

    /** How the target is doing. @throws AppError 404 when the flow was removed since it was read. */
    health: async (db: Db, { subscriptionId }: OutboundFlow): Promise<HealthReport> =>
      existing(await readHealth(db, subscriptionId, clock.now())),

    /** What signs, without the keys that nobody may see. @throws AppError 404 when the flow was removed since it was read. */
    secrets: async (db: Db | Tx, { subscriptionId }: OutboundFlow): Promise<SecretState> =>
      existing(await subscriptions.findSecrets(db, subscriptionId)),

    /** @throws AppError 404; 400 for the secret that signs already. */
    async rotateSecret(tx: Tx, flow: OutboundFlow, { secret, overlapMs }: SecretChange): Promise<SecretState> {
      const before = existing(await subscriptions.findSecrets(tx, flow.subscriptionId))
      if (secret !== undefined && before.secret === secret) throw alreadyInUse()
      return existing(
        await subscriptions.rotateSecret(tx, flow.subscriptionId, { secret, overlapMs, now: clock.now() }),
      )
    },

    revokePreviousSecrets: (tx: Tx, { subscriptionId }: OutboundFlow): Promise<unknown> =>
      subscriptions.revokePreviousSecrets(tx, subscriptionId),

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

const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound()
  return found
}

const alreadyInUse = () => invalidField('secret', 'The flow signs with this secret already; send another, or none.')

export type FlowSubscriptions = ReturnType<typeof makeFlowSubscriptions>
