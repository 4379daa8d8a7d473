import type { HealthReport } from '#delivery/health/health-report.ts'
import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Flow, OutboundFlow } from './flow.ts'
import type { FlowSubscriptions, SecretChange } from './flow-subscription.ts'
import { findFlow, lockFlow, updateFlow } from './store.ts'

export interface ManageTargetDeps {
  readonly clock: Clock
  readonly subscriptions: FlowSubscriptions
}

/** The target of an outbound flow: how it is doing, and what signs its data. Every function throws AppError 404, and 409 for an inbound flow. */
export const makeManageTarget = ({ clock, subscriptions }: ManageTargetDeps) => ({
  health: async (db: Db, id: number): Promise<HealthReport> =>
    subscriptions.health(db, outbound(await findFlow(db, id))),

  findSecrets: async (db: Db, id: number): Promise<SecretState> =>
    subscriptions.secrets(db, outbound(await findFlow(db, id))),

  /** @returns the new secret among the rest, to be shown once. @throws AppError 400 for the secret that signs already. */
  async rotateSecret(tx: Tx, id: number, change: SecretChange): Promise<SecretState> {
    const flow = outbound(await lockFlow(tx, id))
    await updateFlow(tx, { ...flow, modifiedAt: clock.now() })
    return subscriptions.rotateSecret(tx, flow, change)
  },

  async revokePreviousSecrets(tx: Tx, id: number): Promise<void> {
    await subscriptions.revokePreviousSecrets(tx, outbound(await lockFlow(tx, id)))
  },
})

export type ManageTarget = ReturnType<typeof makeManageTarget>

const outbound = (flow: Flow | undefined): OutboundFlow => {
  if (flow === undefined) throw notFound()
  if (flow.direction === 'outbound') return flow
  throw conflict('flow_inbound', 'This flow is inbound; nothing is sent through it, so it has no target and no secret.')
}
