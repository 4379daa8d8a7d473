import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Receiver } from '#delivery/redelivery/retry-delivery.ts'
import { mayCall, type Access } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { FailureSource } from './own-failure.ts'
import type { ReceiverKind } from './subjects.ts'
import type { RetryPrincipal, RetryContext, Outlook, RetryOutcome, RetryReports } from './retry-report.ts'

/**
 * The access that a retry by an error report needs, besides the right to change reports: that of the same retry by
 * other means, so nobody gets by a report what they do not get otherwise.
 */
export const retryAccess = {
  order: { role: 'superuser', scope: 'quotations:write' },
  export: { role: 'staff', scope: 'quotations:read' },
  hook: { role: 'staff', scope: 'hooks:write' },
  // And, but for superusers, a membership with the right to send again.
  project: { role: 'user', scope: 'projects:write' },
  // Keys that are limited are not for flows.
  flow: { role: 'staff' },
} as const satisfies Readonly<Record<string, Exclude<Access, 'public'>>>

/** What can be tried again, by the ids of the actions. Both answer in their order. */
export interface RetrySource {
  /** Has them tried again. Whoever asks may. */
  retry(tx: Tx, actionObjectIds: readonly number[], context: RetryContext): Promise<readonly RetryOutcome[]>
  /** The conditions that would refuse a retry, as far as they are known; rights are among them. */
  outlook(db: Db | Tx, actionObjectIds: readonly number[], principal: RetryPrincipal): Promise<readonly Outlook[]>
}

/** What of our own can be tried again, by what knows how. Sources that are not named can not. */
export type RetrySources = Readonly<Partial<Record<FailureSource, RetrySource>>>

/** Makes what has reports tried again, each by its source, and for those who may alone. */
export const makeRetryReports = (sources: RetrySources): RetryReports => {
  /** Asks each source about its reports. @returns the answers, in the order of the reports. */
  const bySource = async <Answer>(
    reports: Parameters<RetryReports['retry']>[1],
    ask: (source: RetrySource, ids: readonly number[]) => Promise<readonly Answer[]>,
  ): Promise<(Answer | 'foreign')[]> => {
    const answers = new Map<number, Answer>()
    for (const [name, source] of Object.entries(sources)) {
      const those = reports.filter((report) => report.source === name)
      if (those.length === 0) continue
      const told = await ask(
        source,
        those.map(({ actionObjectId }) => actionObjectId),
      )
      for (const [index, { id }] of those.entries()) {
        const answer = told[index]
        if (answer !== undefined) answers.set(id, answer)
      }
    }
    return reports.map(({ id }) => answers.get(id) ?? 'foreign')
  }

  const retryAllowed = async (tx: Tx, source: RetrySource, ids: readonly number[], context: RetryContext) => {
    const outlooks = await source.outlook(tx, ids, context.principal)
    const allowed = ids.filter((_, index) => outlooks[index] !== 'forbidden')
    const outcomes = allowed.length === 0 ? [] : await source.retry(tx, allowed, context)
    const outcomeOf = new Map(allowed.map((id, index) => [id, outcomes[index] ?? 'gone']))
    return ids.map((id): RetryOutcome => outcomeOf.get(id) ?? 'forbidden')
  }

  return {
    retry: (tx, reports, context) => bySource(reports, (source, ids) => retryAllowed(tx, source, ids, context)),
    outlook: (db, reports, principal) => bySource(reports, (source, ids) => source.outlook(db, ids, principal)),
  }
}

const outcomeOf = {
  queued: 'started',
  due: 'started',
  under_way: 'started',
  delivered: 'done',
  gone: 'gone',
  off: 'off',
} as const satisfies Record<string, RetryOutcome>

export interface RetryDeliveriesDeps {
  readonly clock: Clock
  readonly redeliveries: Pick<Redeliveries, 'retryMany' | 'receiversOf'>
  readonly kindOf: (scope: string) => ReceiverKind
  /** Of these scopes those of projects that the user may send again for, as a member. */
  readonly sendableScopes: (db: Db | Tx, userId: number, scopes: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Deliveries, those of flows too. */
export const retryDeliveries = ({ clock, redeliveries, kindOf, sendableScopes }: RetryDeliveriesDeps): RetrySource => {
  /** A flow takes data while the engine has switched off its target, and so it takes what failed before. */
  const mayWait = ({ scope, off }: Receiver): boolean => off === 'by_engine' && kindOf(scope) === 'flow'
  return {
    retry: async (tx, ids) =>
      (await redeliveries.retryMany(tx, ids, { mayWait }, clock.now())).map((outcome) => outcomeOf[outcome]),

    async outlook(db, ids, principal) {
      const receivers = await redeliveries.receiversOf(db, ids)
      const scopes = [...receivers.values()].map(({ scope }) => scope).filter((scope) => kindOf(scope) === 'project')
      const isEveryProject = principal.isSuperuser || scopes.length === 0
      const sendable = isEveryProject ? new Set(scopes) : await sendableScopes(db, principal.userId, scopes)
      const outlookOf = (receiver: Receiver | undefined): Outlook => {
        if (receiver === undefined) return 'gone'
        const kind = kindOf(receiver.scope)
        const mayAsk = mayCall(principal, retryAccess[kind]) && (kind !== 'project' || sendable.has(receiver.scope))
        if (!mayAsk) return 'forbidden'
        return receiver.off === 'no' || mayWait(receiver) ? 'possible' : 'off'
      }
      return ids.map((id) => outlookOf(receivers.get(id)))
    },
  }
}

/**
 * A source for which only rights are known beforehand.
 * @param retryMany has all of them tried again that failed; undefined for those that are gone.
 */
const retryByRights =
  <Outcome extends string>(kind: 'order' | 'export', outcomes: Readonly<Record<Outcome, RetryOutcome>>) =>
  (
    retryMany: (tx: Tx, ids: readonly number[], context: RetryContext) => Promise<readonly (Outcome | undefined)[]>,
  ): RetrySource => ({
    retry: async (tx, ids, context) =>
      (await retryMany(tx, ids, context)).map((outcome) => (outcome === undefined ? 'gone' : outcomes[outcome])),
    outlook: async (_db, ids, principal) =>
      ids.map(() => (mayCall(principal, retryAccess[kind]) ? 'possible' : 'forbidden')),
  })

export const retryOrders = retryByRights('order', { queued: 'started', pending: 'started', created: 'done' })

export const retryExports = retryByRights('export', { waiting: 'started', completed: 'done' })
