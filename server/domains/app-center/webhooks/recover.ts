import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { FindWebhooks } from './find-webhooks.ts'
import { notActive } from './send-again.ts'

export interface RecoverDeps {
  readonly clock: Clock
  readonly webhooks: FindWebhooks
  readonly redeliveries: Pick<Redeliveries, 'countRetry' | 'startRetry'>
}

export interface Recovery {
  /** Deliveries made since then; absent: all that are kept. */
  readonly since: Date | undefined
  /** Only count. */
  readonly dryRun: boolean
}

/**
 * Puts what failed for good or is held back in the queue, with the same ids and bytes. A job does it, so a process
 * that dies in between loses nothing. What is due, and what was delivered, is left alone.
 */
export const makeRecover =
  ({ clock, webhooks, redeliveries }: RecoverDeps) =>
  /**
   * @returns how many it is, `isExact` when there are not more.
   * @throws AppError 400 for a time to come, and for a webhook that is not active: nothing would be sent.
   */
  async (tx: Tx, projectId: string, webhookId: string, { since, dryRun }: Recovery): Promise<Recovered> => {
    const now = clock.now()
    if (since !== undefined && since > now) throw invalidField('since', 'Expected a time that has passed.')
    const { subscriptionId, settings } = await webhooks.find(tx, projectId, webhookId)
    const request = { filter: { subscriptionIds: [subscriptionId], createdFrom: since }, force: false }
    const { count, isExact } = await redeliveries.countRetry(tx, request)
    if (dryRun) return { count, isExact }
    if (!settings.isActive) throw notActive()
    // A matter of the project, not of who asks: it goes on when they have left.
    await redeliveries.startRetry(tx, { ...request, requestedBy: null, asked: {} }, now)
    return { count, isExact }
  }

export type Recover = ReturnType<typeof makeRecover>

export interface Recovered {
  readonly count: number
  readonly isExact: boolean
}
