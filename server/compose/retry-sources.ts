import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Receiver } from '#delivery/redelivery/retry-delivery.ts'
import type { Requeued, Revived } from '#domains/b2b/index.ts'
import type { Asker, Asking, FailureSource, Outlook, RetryOutcome, RetryReports } from '#domains/error-reports/index.ts'
import { mayCall } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { kindOf, retryAccess } from './retry-access.ts'

/** What can be tried again, by the ids of the actions. Both answer in their order. */
export interface RetrySource {
  /** Has them tried again. Whoever asks may. */
  retry(tx: Tx, actionObjectIds: readonly number[], asking: Asking): Promise<readonly RetryOutcome[]>
  /** What stands in the way, as far as that is known; rights are a part of it. */
  outlook(db: Db | Tx, actionObjectIds: readonly number[], who: Asker): Promise<readonly Outlook[]>
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

  const retryAllowed = async (tx: Tx, source: RetrySource, ids: readonly number[], asking: Asking) => {
    const outlooks = await source.outlook(tx, ids, asking.who)
    const allowed = ids.filter((_, index) => outlooks[index] !== 'forbidden')
    const outcomes = allowed.length === 0 ? [] : await source.retry(tx, allowed, asking)
    const outcomeOf = new Map(allowed.map((id, index) => [id, outcomes[index] ?? 'gone']))
    return ids.map((id): RetryOutcome => outcomeOf.get(id) ?? 'forbidden')
  }

  return {
    retry: (tx, reports, asking) => bySource(reports, (source, ids) => retryAllowed(tx, source, ids, asking)),
    outlook: (db, reports, who) => bySource(reports, (source, ids) => source.outlook(db, ids, who)),
  }
}

/** Of sources that only rights stand in the way of, as far as is known. */
const byRights =
  (kind: keyof typeof retryAccess): RetrySource['outlook'] =>
  async (_db, ids, who) =>
    ids.map(() => (mayCall(who, retryAccess[kind]) ? 'possible' : 'forbidden'))

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
  /** Whether data waits for a target that is switched off, as it does where the engine has switched off that of a flow. */
  readonly mayWait: (receiver: Receiver) => boolean
  /** Of these scopes those of projects that the user may send again for, as a member. */
  readonly sendableScopes: (db: Db | Tx, userId: number, scopes: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Deliveries, those of flows too. */
export const retryDeliveries = ({
  clock,
  redeliveries,
  mayWait,
  sendableScopes,
}: RetryDeliveriesDeps): RetrySource => ({
  retry: async (tx, ids) =>
    (await redeliveries.retryMany(tx, ids, { mayWait }, clock.now())).map((outcome) => outcomeOf[outcome]),

  async outlook(db, ids, who) {
    const receivers = await redeliveries.receiversOf(db, ids)
    const scopes = [...receivers.values()].filter((one) => kindOf(one) === 'project').map(({ scope }) => scope)
    const isEveryProject = who.isSuperuser || scopes.length === 0
    const sendable = isEveryProject ? new Set(scopes) : await sendableScopes(db, who.userId, scopes)
    const outlookOf = (receiver: Receiver | undefined): Outlook => {
      if (receiver === undefined) return 'gone'
      const kind = kindOf(receiver)
      const mayAsk = mayCall(who, retryAccess[kind]) && (kind !== 'project' || sendable.has(receiver.scope))
      if (!mayAsk) return 'forbidden'
      return receiver.off === 'no' || mayWait(receiver) ? 'possible' : 'off'
    }
    return ids.map((id) => outlookOf(receivers.get(id)))
  },
})

const outcomeOfOrder = {
  queued: 'started',
  pending: 'started',
  created: 'done',
} as const satisfies Record<NonNullable<Requeued>, RetryOutcome>

type RetryOrders = (
  tx: Tx,
  asking: { readonly userId: number; readonly requestId: string },
  ids: readonly number[],
) => Promise<readonly Requeued[]>

/** Orders of quotations. @param retryMany has those tried again that failed, and writes down who asked. */
export const retryOrders = (retryMany: RetryOrders): RetrySource => ({
  retry: async (tx, ids, { who, requestId }) =>
    (await retryMany(tx, { userId: who.userId, requestId }, ids)).map((outcome) =>
      outcome === undefined ? 'gone' : outcomeOfOrder[outcome],
    ),
  outlook: byRights('order'),
})

const outcomeOfExport = { waiting: 'started', completed: 'done' } as const satisfies Record<
  NonNullable<Revived>,
  RetryOutcome
>

/** Exports. @param retryMany has those made after all that failed. */
export const retryExports = (
  retryMany: (tx: Tx, ids: readonly number[]) => Promise<readonly Revived[]>,
): RetrySource => ({
  retry: async (tx, ids) =>
    (await retryMany(tx, ids)).map((outcome) => (outcome === undefined ? 'gone' : outcomeOfExport[outcome])),
  outlook: byRights('export'),
})
