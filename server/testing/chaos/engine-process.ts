// A delivery engine in a process of its own, which dies at the moment it is told to: see `life.ts`.
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { leaseMs } from '#delivery/queue/claim.ts'
import type { Clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/open.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated } from '../make-deliveries.ts'
import { makeTestEngine } from '../make-test-engine.ts'
import { drained } from './delivery-records.ts'
import type { Life, Said } from './life.ts'
import type { Statement } from './steps.ts'
import { watchStatements, type Heard } from './watch-statements.ts'

/** Longest time that a life goes on without its trouble, or without getting done. */
const patienceMs = 20_000

const { location, clockAheadMs, envelope, step, batches, delayMs } = JSON.parse(process.argv[2] ?? '') as Life
let aheadMs = clockAheadMs
const clock: Clock = { now: () => new Date(Date.now() + aheadMs) }
const struck = Promise.withResolvers<void>()
let isArmed = false
/** Trouble with a delivery comes after the commit: a look that finds nothing is no claim of this batch. */
let isCommitted = false
let ended = 0

const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`)

const strike = (cut: () => void): void => {
  if (!isArmed) return
  isArmed = false
  say({ kind: 'struck' })
  if (step?.trouble === 'cut') {
    cut()
    struck.resolve()
    return
  }
  process.kill(process.pid, 'SIGKILL')
  // Nothing more happens on this thread, however long the signal takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** An answer counts when it is about the batch: the claim that brought it, the end that is its last. */
const isAboutBatch = (statement: Statement, rows: number): boolean => {
  if (statement === 'finish') ended += rows
  return statement === 'claim' ? rows > 0 : statement === 'commit' || ended >= (batches.at(-1)?.length ?? 0)
}

const hear = ({ statement, when, rows, cut }: Heard): void => {
  if (!isArmed || step === undefined) return
  const { at } = step
  const isMine = 'statement' in at && at.statement === statement && (statement === 'commit' || isCommitted)
  if (isMine && when === at.when && when === 'out' && delayMs > 0) setTimeout(() => strike(cut), delayMs)
  else if (isMine && when === at.when && (when !== 'after' || isAboutBatch(statement, rows))) strike(cut)
  // It was to be while it runs, and it ran for less than the delay.
  else if (isMine && when === 'after' && at.when === 'out') strike(cut)
  if (statement === 'commit' && when === 'after') isCommitted = true
}
watchStatements(hear)
for (const [exchange, channel] of [
  ['sent', 'undici:request:bodySent'],
  ['answered', 'undici:request:trailers'],
] as const)
  subscribe(channel, () => {
    if (isArmed && step !== undefined && 'exchange' in step.at && step.at.exchange === exchange) strike(() => undefined)
  })

const database = await openDatabase(location)
const engine = await makeTestEngine(database, { clock })

const raise = async (packages: readonly number[]): Promise<void> => {
  await inTransaction(database.db, (tx) => engine.outbox.append(tx, packages.map(packageCreated)))
  say({ kind: 'acknowledged', packages })
}

await database.db.updateTable('subscriptions').set({ envelope }).execute()
const startedAt = performance.now()
await engine.start()
await drained(database.db, patienceMs)
say({ kind: 'recovered', ms: performance.now() - startedAt })
for (const packages of batches.slice(0, -1)) {
  await raise(packages)
  await drained(database.db, patienceMs)
}
if (step !== undefined) {
  isArmed = true
  // When its commit is cut nobody knows, so nothing is acknowledged.
  await raise(batches.at(-1) ?? []).catch((error: unknown) => {
    if (isArmed) throw error
  })
  const inTime = await Promise.race([struck.promise, sleep(patienceMs, 'late' as const, { ref: false })])
  if (inTime === 'late') throw new Error(`'${step.name}' never came.`)
  // The lease of a claim, or of an insert, may have been taken, and nobody knows of it: it has to run out.
  if ('statement' in step.at && step.at.statement !== 'finish') aheadMs += leaseMs
  await drained(database.db, patienceMs)
}
await engine.stop()
await database.close()
