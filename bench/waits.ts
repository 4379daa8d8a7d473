import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventOf, type BenchEngine } from './open-engine.ts'
import type { TimedArrival } from './receiver.ts'
import type { BenchReceiver } from './start-receiver.ts'

export interface WaitsOptions {
  readonly bench: BenchEngine
  readonly receiver: BenchReceiver
  /** How many of its `timed` addresses are subscribed to the back office. */
  readonly endpoints: number
  readonly seconds: number
  readonly perSecond: number
}

let lastPackage = 0
const now = (): number => performance.timeOrigin + performance.now()

/** Raises events at a steady pace. @returns the milliseconds from each one's commit to its arrival at each endpoint. */
export const measureWaits = async (options: WaitsOptions): Promise<number[]> => {
  const { bench, receiver, endpoints, seconds, perSecond } = options
  const committedAt = new Map<number, number>()
  const raise = async (packageId: number): Promise<void> => {
    await inTransaction(bench.database.db, (tx) => bench.engine.outbox.append(tx, [eventOf(packageId)]))
    committedAt.set(packageId, now())
  }
  const start = performance.now()
  const raising: Promise<void>[] = []
  for (let index = 1; index <= seconds * perSecond; index++) {
    const wait = start + (index * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    lastPackage += 1
    raising.push(raise(lastPackage))
  }
  await Promise.all(raising)
  const arrivals: TimedArrival[] = []
  for (; arrivals.length < committedAt.size * endpoints; await sleep(20)) {
    const { timed } = await receiver.look()
    arrivals.push(...timed.filter(({ number }) => committedAt.has(number)))
  }
  return arrivals.map(({ number, at }) => Math.max(0, at - (committedAt.get(number) ?? Number.NaN)))
}
