import { leaseMs } from '#delivery/queue/claim.ts'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { makeSubscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase, type DatabaseLocation } from '#platform/db/open.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { settings, testVault } from '../make-deliveries.ts'
import { logged, readDeliveries, type DeliveryRecord } from './delivery-records.ts'
import { startLedger, type Arrival } from './ledger.ts'
import { live, type Life, type LifeReport } from './life.ts'
import type { Share, Step } from './steps.ts'

export interface CrashOptions {
  readonly location: DatabaseLocation
  readonly steps: readonly Step[]
  readonly random: () => number
  /** Of the subscription, where they are not those of tests. */
  readonly settings?: Partial<SubscriptionSettings>
}

/** What one process left behind, and what became of it. */
export interface StepOutcome {
  readonly step: Step
  /** Events that were raised, in the batch that met the trouble, and how many of those are stored. */
  readonly events: number
  readonly inTrouble: number
  readonly stored: number
  /** Events that were acknowledged or stored and never reached the receiver. */
  readonly lost: number
  /** Requests for something the receiver had already. */
  readonly repeated: number
  /** Attempts that the log calls unknown. */
  readonly unknown: number
  /** Until the next process had delivered what this one left, from its start. */
  readonly recoveredMs: number
  /** What must never be, in words. */
  readonly problems: readonly string[]
}

/** Packages of one life have numbers of its own. */
const numbersOfLife = 1_000
const maxBatches = 3
/** What a subscription that was not heard of yet gets with one claim. */
const mostInBatch = 8

/**
 * Engines that die one after the other on the same data, each at another step; the last one may drain.
 * Each begins with delivering what the one before it left behind.
 */
export const crashAtSteps = async ({
  location,
  steps,
  random,
  settings: own,
}: CrashOptions): Promise<StepOutcome[]> => {
  const ledger = await startLedger()
  await prepare(location, { ...settings, ...own, url: ledger.url })
  const plans = steps.map((step, index) => {
    // A cut that came with the answer would be too late.
    const delayMs = step.trouble === 'cut' ? 0 : Math.floor(random() * 4)
    return { ...newLife(location, index, isAboutClaim(step) ? 1 : maxBatches, random), step, delayMs }
  })
  const last: Life = { ...lifeOf(location, plans.length), batches: [], delayMs: 0 }
  const lives: (Life & { report: LifeReport })[] = []
  for (const plan of [...plans, last]) lives.push({ ...plan, report: await live(plan) })
  await ledger.close()

  const database = await openDatabase(location)
  const records = await readDeliveries(database.db)
  await database.close()
  return steps.map((step, index) => {
    const [life, next] = lives.slice(index)
    if (life === undefined || next === undefined) throw new Error('Every step has a life, and one after it.')
    const ofLife = ({ objectId }: DeliveryRecord): boolean => Math.floor(Number(objectId) / numbersOfLife) === index + 1
    const { arrivals } = ledger
    return outcomeOf(step, { life, next: next.report, records: records.filter(ofLife), arrivals })
  })
}

const prepare = async (location: DatabaseLocation, wanted: SubscriptionSettings): Promise<void> => {
  const database = await openDatabase(location)
  await migrate(database, await readMigrations())
  const subscriptions = makeSubscriptions({ vault: testVault, wake: () => undefined })
  await inTransaction(database.db, (tx) => subscriptions.create(tx, wanted))
  await database.close()
}

const lifeOf = (location: DatabaseLocation, index: number): Pick<Life, 'location' | 'clockAheadMs' | 'envelope'> => ({
  location,
  // A minute for each process, in which leases of those before it run out.
  clockAheadMs: index * 2 * leaseMs,
  envelope: index % 2 === 0 ? 'original' : 'standard',
})

/** The first batch of a process is claimed: what comes later is leased by its insert. */
const isAboutClaim = ({ at }: Step): boolean => 'statement' in at && at.statement === 'claim'

const newLife = (
  location: DatabaseLocation,
  index: number,
  batchesAtMost: number,
  random: () => number,
): Omit<Life, 'delayMs'> => {
  let packages = (index + 1) * numbersOfLife
  const batches = Array.from({ length: 1 + Math.floor(random() * batchesAtMost) }, () =>
    Array.from({ length: 1 + Math.floor(random() * mostInBatch) }, () => packages++),
  )
  return { ...lifeOf(location, index), batches }
}

interface Evidence {
  readonly life: Life & { readonly report: LifeReport }
  /** Of the process after it. */
  readonly next: LifeReport
  readonly records: readonly DeliveryRecord[]
  readonly arrivals: readonly Arrival[]
}

const outcomeOf = (step: Step, { life, next, records, arrivals }: Evidence): StepOutcome => {
  const { batches, report } = life
  const received = Map.groupBy(arrivals, ({ webhookId }) => webhookId)
  const timesOf = ({ webhookId }: DeliveryRecord): number => received.get(webhookId)?.length ?? 0
  const storedPackages = new Set(records.map(({ objectId }) => Number(objectId)))
  const acknowledged = report.said.flatMap((said) => (said.kind === 'acknowledged' ? said.packages : []))
  const inTrouble = batches.at(-1) ?? []
  const recovered = next.said.find((said) => said.kind === 'recovered')
  const outcome = {
    step,
    events: batches.flat().length,
    inTrouble: inTrouble.length,
    stored: inTrouble.filter((number) => storedPackages.has(number)).length,
    lost:
      acknowledged.filter((number) => !storedPackages.has(number)).length +
      records.filter((record) => timesOf(record) === 0).length,
    repeated: records.reduce((sum, record) => sum + Math.max(0, timesOf(record) - 1), 0),
    unknown: records.reduce((sum, record) => sum + logged(record, 'unknown'), 0),
    recoveredMs: recovered?.ms ?? Infinity,
  }
  const changed = records.filter(({ webhookId, body }) => received.get(webhookId)?.some((one) => one.body !== body))
  const problems = [
    ...problemsOfLife(step, report),
    ...problemsOfCounts(outcome),
    ...changed.map(({ webhookId }) => `${webhookId} did not arrive with the bytes that are stored`),
    ...records.flatMap((record) => problemsOfRecord(record, timesOf(record))),
  ]
  return { ...outcome, problems }
}

const problemsOfLife = ({ trouble }: Step, { said, end, errors }: LifeReport): string[] => {
  const expected = trouble === 'kill' ? 'SIGKILL' : 0
  const met = said.some(({ kind }) => kind === 'struck') && end === expected
  return met ? [] : [`the process ended with ${end} and said ${JSON.stringify(said)} ${errors}`]
}

const problemsOfCounts = ({ step, inTrouble, stored, lost, repeated, unknown }: Omit<StepOutcome, 'problems'>) => {
  const problems: string[] = []
  if (lost > 0) problems.push(`${lost} lost`)
  if (!step.mayRepeat && repeated > 0) problems.push(`${repeated} repeated, where nothing may be`)
  if (!isAsSaid(step.stored, stored, inTrouble)) problems.push(`${stored} of ${inTrouble} stored`)
  if (!isAsSaid(step.unknown, unknown, inTrouble)) problems.push(`${unknown} of ${inTrouble} unknown`)
  return problems
}

const isAsSaid = (share: Share, count: number, all: number): boolean => {
  const allowed: Record<Share, boolean> = {
    none: count === 0,
    some: count > 0 && count <= all,
    all: count === all,
    'none or all': count === 0 || count === all,
    any: count <= all,
  }
  return allowed[share]
}

/** Every attempt is in the log, one of them delivered it, and a repeat is one whose end nobody knows. */
const problemsOfRecord = ({ webhookId, status, attempts, log }: DeliveryRecord, times: number): string[] => {
  const delivered = logged({ log }, 'delivered')
  const isComplete = status === 'delivered' && delivered === 1 && attempts === log.length
  const isExplained = times >= delivered && times <= delivered + logged({ log }, 'unknown')
  return isComplete && isExplained ? [] : [`${webhookId} is ${status}, arrived ${times} times: ${JSON.stringify(log)}`]
}
