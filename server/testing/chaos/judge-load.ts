import { openDatabase, type DatabaseLocation } from '#platform/db/open.ts'
import { logged, readDeliveries, type DeliveryRecord } from './delivery-records.ts'
import type { Ledger } from './ledger.ts'
import type { SteadyLoad } from './steady-load.ts'

/** What became of everything that clients were promised. */
export interface LoadJudgement {
  readonly acknowledged: number
  readonly delivered: number
  /** Promised or stored, and never seen by the receiver. */
  readonly lost: number
  /** Requests for something that the receiver had taken already. */
  readonly repeated: number
  /** Attempts whose end nobody knows. */
  readonly unknown: number
  /** What must never be, in words. */
  readonly problems: readonly string[]
}

/** What a server is prepared with for such a load: the same event for a hook of each envelope. */
export const ofEachEnvelope = ['package.created', 'package.created']

export interface LoadEvidence {
  readonly location: DatabaseLocation
  readonly load: SteadyLoad
  readonly ledger: Ledger
}

/** Compares promises, database and arrivals once everything has come to rest. Nobody else may use an embedded database meanwhile. */
export const judgeLoad = async ({ location, load, ledger }: LoadEvidence): Promise<LoadJudgement> => {
  const database = await openDatabase(location)
  const records = await readDeliveries(database.db)
  await database.close()
  const received = Map.groupBy(ledger.arrivals, ({ webhookId }) => webhookId)
  const stored = new Map(records.map((record) => [Number(record.objectId), record]))
  const { promised, surprises } = load
  const unkept = promised.filter(({ packageId }) => !stored.has(packageId)).length
  const refused = sum(records, (record) => logged(record, 'retry'))
  const problems = records.flatMap((record) => problemsOf(record, received.get(record.webhookId) ?? []))
  if (records.length !== stored.size * ofEachEnvelope.length || stored.size !== promised.length)
    problems.push(`${promised.length} promised, ${stored.size} packages, ${records.length} deliveries`)
  return {
    acknowledged: promised.length,
    delivered: received.size,
    lost: unkept + records.filter(({ webhookId }) => !received.has(webhookId)).length,
    repeated: ledger.arrivals.length - received.size - refused,
    unknown: sum(records, (record) => logged(record, 'unknown')),
    problems: [...surprises, ...problems],
  }
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((total, one) => total + of(one), 0)

const problemsOf = (record: DeliveryRecord, arrivals: readonly { readonly body: string }[]): string[] => {
  const { webhookId, status, body } = record
  const problems: string[] = []
  if (arrivals.length > logged(record, 'delivered', 'retry', 'unknown') || status !== 'delivered')
    problems.push(`${webhookId} is ${status}, arrived ${arrivals.length} times: ${JSON.stringify(record.log)}`)
  if (arrivals.some((arrival) => arrival.body !== body)) problems.push(`${webhookId} arrived changed`)
  return problems
}
