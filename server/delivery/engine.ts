import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Clock } from '#platform/clock.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/db/database.ts'
import type { Service } from '#platform/supervisor.ts'
import type { AttemptDeps } from './attempt.ts'
import { makeAttemptNow, type AttemptReport } from './attempt-now.ts'
import { makeGuard, type Guard } from './guard/guard.ts'
import { makeDeliveryMetrics } from './metrics.ts'
import { makeOutbox, type Outbox } from './outbox.ts'
import { makePartitionKeeper } from './partitions.ts'
import { releaseAll } from './queue.ts'
import { makeReceiverSignIn } from './receiver-auth.ts'
import { makeReceivers } from './receivers.ts'
import { makeSender } from './sender.ts'
import { makeSubscriptions, type Subscriptions } from './subscriptions.ts'
import { makeWake } from './wake.ts'
import { webhookIdOf } from './webhook-id.ts'
import { Worker } from './worker.ts'

export interface EngineOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly vault: Vault
  readonly registry: Registry
  readonly installationId: string
  readonly allowedNetworks: readonly string[]
  readonly allowLoopback: boolean
  readonly userAgent: string
  readonly maxAttempts: number
  /** Deliveries in flight at once in this process. */
  readonly capacity: number
  /** See `WorkerDeps`. */
  readonly drainMs?: number
}

/** Everything the rest of the server may know of delivery. */
export interface Engine {
  readonly outbox: Outbox
  readonly subscriptions: Subscriptions
  readonly guard: Guard
  readonly attemptNow: (deliveryId: number) => Promise<AttemptReport>
  /** What every process needs for it, in starting order. */
  readonly services: readonly Service[]
  /** The loop that delivers; a process that only answers requests leaves it out. */
  readonly worker: Service
  /** Throws when the worker should run here and does not get through to the database. */
  check(worksHere: boolean): void
}

/** Builds the engine's parts and connects them. Nothing runs until its services are started. */
export const makeEngine = (options: EngineOptions): Engine => {
  const { database, clock, log, vault, registry, installationId, userAgent, maxAttempts } = options
  const { db } = database
  const guard = makeGuard(options)
  const sender = makeSender({ guard })
  const signIn = makeReceiverSignIn(sender)
  const receivers = makeReceivers({ db, vault, log })
  const wake = makeWake(database, log)
  const webhookId = (deliveryId: number): string => webhookIdOf(deliveryId, installationId)
  const attempts: AttemptDeps = { clock, sender, webhookId, userAgent, maxAttempts, signIn }
  const metrics = makeDeliveryMetrics(registry)
  const worker = new Worker({ ...options, db, wake, receivers, attempts, metrics })

  return {
    guard,
    outbox: makeOutbox({ clock, wake }),
    subscriptions: makeSubscriptions({ vault, wake }),
    attemptNow: makeAttemptNow({ db, receivers, attempts, wake }),
    services: [
      makePartitionKeeper(db, log),
      leftBehind(database),
      { name: 'outbound connections', start: async () => undefined, stop: () => sender.close() },
      { name: 'wake', start: wake.start, stop: wake.stop },
    ],
    worker,
    check: (worksHere) => {
      if (worksHere && !worker.isLooking())
        throw new Error('The delivery worker has not looked at the database lately.')
    },
  }
}

/** The embedded database has one process, so every lease found at start belonged to one that is dead: no need to wait for it. */
const leftBehind = ({ engine, db }: Database): Service => ({
  name: 'left-behind leases',
  start: async () => {
    if (engine === 'pglite') await releaseAll(db)
  },
  stop: async () => undefined,
})
