import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Clock } from '#platform/clock.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import type { AttemptDeps } from './attempt/attempt.ts'
import { makeAttemptNow } from './worker/attempt-now.ts'
import { makeContents } from './attempt/content.ts'
import { makeGuard } from './outbound/guard/guard.ts'
import { makeAttemptMetrics } from './worker/attempt-metrics.ts'
import type { HandOver } from './outbox/hand-over.ts'
import { makeOutbox, type Outbox } from './outbox/outbox.ts'
import { makePartitionKeeper } from './upkeep/partitions.ts'
import { mayAlert } from './health/alert-pace.ts'
import { healthEvent } from './health/health-event.ts'
import type { HealthRules } from './health/health.ts'
import { probe } from './health/probe.ts'
import type { AttemptResult } from './queue/finish.ts'
import { releaseAll } from './queue/queue.ts'
import { makeRedeliveries, type Redeliveries } from './redelivery/redeliveries.ts'
import { makeRecordHealth, type HealthNotice } from './health/record-health.ts'
import { makeReceiverSignIn } from './attempt/receiver-auth.ts'
import { makeReceivers } from './attempt/receivers.ts'
import { makeSender, type SendRequest } from './outbound/sender.ts'
import { makeSubscriptions } from './subscriptions/subscriptions.ts'
import { makeUpkeepGauges } from './upkeep/upkeep-gauges.ts'
import { makeUpkeep } from './upkeep/upkeep.ts'
import { makeWake } from './queue/wake.ts'
import { webhookIdOf } from './tables/webhook-id.ts'
import { Worker } from './worker/worker.ts'
import { makeWritten } from './queue/written.ts'

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
  readonly health: HealthRules
  /** Days that history is kept. */
  readonly keep: { readonly eventDays: number; readonly attemptDays: number }
  /** Tells people of a change of an endpoint's health, as part of the transaction that makes it. */
  readonly alert?: (tx: Tx, notice: HealthNotice) => Promise<void>
  /** Told of attempts that this process has written. */
  readonly onWritten?: (written: readonly AttemptResult[]) => void
  readonly tracing?: Tracing | undefined
  /** See `WorkerDeps`. */
  readonly drainMs?: number
  /** See `RedeliveriesDeps`. */
  readonly settleMs?: number
}

/** How often endpoints are looked for whose probe is due. */
const probeLookMs = 5_000
/** An event's time is that of the database, and a little earlier than its commit. */
const catchUpMarginMs = 60_000

/** Builds the engine's parts and connects them. Nothing runs until its services are started. */
export const makeEngine = (options: EngineOptions) => {
  const { database, clock, log, vault, registry, installationId, userAgent, health } = options
  const { db, unsynced } = database
  const guard = makeGuard(options)
  const sender = makeSender({ guard })
  const signIn = makeReceiverSignIn(sender)
  const receivers = makeReceivers({ db, vault, log })
  const wake = makeWake(database, log)
  const tellWritten = makeWritten(database, log)
  const onWritten: NonNullable<EngineOptions['onWritten']> = (results) => {
    tellWritten(results.map(({ id }) => id))
    options.onWritten?.(results)
  }
  const webhookId = (deliveryId: number): string => webhookIdOf(deliveryId, installationId)
  const contents = makeContents(db)
  const attempts: AttemptDeps = { ...options, sender, contents, webhookId, signIn }
  const metrics = makeAttemptMetrics(registry)
  const outbox = makeOutbox({ clock, wake, handOver: handOverTo(() => worker) })
  const redeliveries = makeRedeliveries({ ...options, db, wake })
  const onChange = tellOfHealth(options, outbox, redeliveries)
  const recordHealth = makeRecordHealth({ db, clock, rules: health, onChange })
  const written: Worker['written'] = (results, recorded) => worker.written(results, recorded)
  const attemptNow = makeAttemptNow({ db, receivers, attempts, recordHealth, onWritten: written, wake })
  const { probeEveryMs } = health
  const probing = () => probe({ db, clock, probeEveryMs, attemptNow })
  const worker = new Worker({ ...options, db, unsynced, wake, receivers, attempts, metrics, recordHealth, onWritten })

  return {
    guard,
    /** One exchange with another machine outside of the queue, with the guard, the timeouts and the name of deliveries. */
    send: (request: SendRequest) =>
      sender.send({ ...request, headers: { 'user-agent': userAgent, ...request.headers } }),
    outbox,
    subscriptions: makeSubscriptions({ vault, wake }),
    attemptNow,
    redeliveries,
    /** For those who watch: when deliveries are due, and of which ones an attempt was written, in any process. */
    onWake: wake.onWake,
    listenToWritten: tellWritten.listen,
    /** What every process needs for it, in starting order. */
    services: [
      makePartitionKeeper(db, log),
      leftBehind(database),
      { name: 'outbound connections', start: async () => undefined, stop: () => sender.close() },
      { name: 'wake', start: wake.start, stop: wake.stop },
      { name: 'notices of attempts', start: async () => undefined, stop: tellWritten.stop },
    ],
    /** What delivers and looks after the queue; a process that only answers requests leaves it out. */
    workers: [
      makeLoop({ name: 'probes', everyMs: Math.min(probeLookMs, probeEveryMs), log, run: probing }),
      redeliveries.runner,
      ...makeUpkeep({ db, clock, log, metrics: makeUpkeepGauges(registry), ...options.keep }),
      worker,
    ],
    /** Whether the worker of this process got through to the database lately. */
    isWorking: () => worker.isLooking(),
  }
}

/** Everything the rest of the server may know of delivery. */
export type Engine = ReturnType<typeof makeEngine>

/** An event, a message to people, and what was missed meanwhile, in the transaction that changes an endpoint's health. */
const tellOfHealth =
  ({ alert, clock, log }: EngineOptions, outbox: Outbox, redeliveries: Redeliveries) =>
  async (tx: Tx, notice: HealthNotice): Promise<void> => {
    const { subscriptionId, change, state } = notice
    if (await isSubjectOfEvents(tx, notice)) await outbox.append(tx, [healthEvent(notice, state)])
    if (await mayAlert(tx, subscriptionId, change, clock.now())) await alert?.(tx, notice)
    await catchUp(tx, redeliveries, notice, clock.now())
    log.warn(
      { subscriptionId, reason: state.disabledReason ?? `failures: ${state.failures}` },
      `subscription.${change}`,
    )
  }

/** The outbox is made before the worker, which sends what is made with it. */
const handOverTo = (worker: () => Worker): HandOver => ({
  offer: (subscriptionIds, events) => worker().offer(subscriptionIds, events),
  settle: (offer, claims, offeredAt) => worker().settle(offer, claims, offeredAt),
})

/**
 * Nobody can listen to the health of a project's webhooks, whose owners get an e-mail. Who listens to the health of
 * webhooks is not the subject of such events itself: they would go round and round.
 */
const isSubjectOfEvents = async (
  tx: Tx,
  { subscriptionId, scope }: Pick<HealthNotice, 'subscriptionId' | 'scope'>,
): Promise<boolean> => scope === 'back-office' && !(await listensToHealth(tx, subscriptionId))

const listensToHealth = async (tx: Tx, subscriptionId: number): Promise<boolean> => {
  const listening = await tx
    .selectFrom('subscriptionEvents')
    .select('pattern')
    .where('subscriptionId', '=', subscriptionId)
    .where((eb) => eb.or([eb('pattern', '=', '*'), eb('pattern', 'like', 'webhook.%')]))
    .executeTakeFirst()
  return listening !== undefined
}

/** An endpoint that comes back by itself gets what was kept for it meanwhile; nobody is there to ask for it. */
const catchUp = async (
  tx: Tx,
  redeliveries: Redeliveries,
  { subscriptionId, change, before }: HealthNotice,
  now: Date,
): Promise<void> => {
  if (change !== 'recovered' || before.disabledAt === null) return
  const since = new Date(before.disabledAt.getTime() - catchUpMarginMs)
  await redeliveries.startRecovery(tx, { subscriptionId, since, requestedBy: null }, now)
}

/** The embedded database has one process, so every lease found at start belonged to one that is dead: no need to wait for it. */
const leftBehind = ({ engine, db }: Database): Service => ({
  name: 'left-behind leases',
  start: async () => {
    if (engine === 'pglite') await releaseAll(db)
  },
  stop: async () => undefined,
})
