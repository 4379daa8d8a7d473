import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Clock } from '#platform/clock.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SystemFacts } from './facts.ts'
import { judgeSystem, worst } from './judge.ts'
import { System } from './schemas.ts'

export interface SystemDeps {
  readonly clock: Clock
  readonly readFacts: () => Promise<SystemFacts>
}

/** No scope: it tells about the whole installation. */
const options = makeRouteOptions('System', errorResponses)(
  operationsFor({ access: { role: 'superuser' } })(
    'getSystem',
    'Show how the installation is',
    'Each part with a state, and a sentence that says what it means and what to do.',
  ),
  { response: { 200: System } },
)

/** What one reads when something is wrong with the whole of it. */
export const systemRoutes =
  ({ clock, readFacts }: SystemDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/system', options, async (_, reply) => {
      const facts = await readFacts()
      return reply.header('cache-control', 'no-store').send(toWire(facts, clock.now()))
    })
  }

const toWire = (facts: SystemFacts, now: Date): Static<typeof System> => {
  const judged = judgeSystem(facts, now)
  const { database, deliveries, subscriptions, invariants, history, mail, disk, jobs, processes } = facts
  return {
    state: worst(Object.values(judged).map(({ state }) => state)),
    version: facts.version,
    role: facts.role as Static<typeof System>['role'],
    engine: facts.engine as Static<typeof System>['engine'],
    uptime_seconds: facts.uptimeSeconds,
    database: { ...judged.database, ...snake(database) },
    migrations: { ...judged.migrations, ...facts.migrations },
    readiness: { ...judged.readiness, reasons: { ...facts.readiness.reasons } },
    deliveries: { ...judged.deliveries, ...snake(deliveries) },
    subscriptions: { ...judged.subscriptions, ...snake(subscriptions) },
    invariants: {
      ...judged.invariants,
      lost: invariants.lost,
      checked_at: invariants.checkedAt.toISOString(),
      violations: [...invariants.violations],
    },
    jobs: { ...judged.jobs, queues: jobs.queues.map(snake) },
    processes: {
      ...judged.processes,
      seen: processes.seen.map(({ id, works, seenAt }) => ({ id, works, seen_at: seenAt.toISOString() })),
    },
    history: {
      ...judged.history,
      event_days: history.eventDays,
      attempt_days: history.attemptDays,
      partitions: [...history.partitions],
    },
    mail: { ...judged.mail, ...snake(mail) },
    disk: { ...judged.disk, ...snake(disk) },
  }
}

type Snake<Name> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : Name

/** Names of plain figures as the wire has them. */
const snake = <T extends object>(figures: T) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  ) as { [Name in keyof T & string as Snake<Name>]: T[Name] }
