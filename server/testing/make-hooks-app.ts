import { pino } from 'pino'
import type { FastifyInstance, HTTPMethods, LightMyRequestResponse } from 'fastify'
import { afterAll } from 'vitest'
import { testIdempotency } from './idempotency-keys.ts'
import { readInstallationId } from '#delivery/tables/webhook-id.ts'
import { makeOutbox, type Outbox } from '#delivery/outbox/outbox.ts'
import { makeRedeliveries, type Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import { makeSubscriptions, type Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { makeEventTypes } from '#domains/order-management/event-types/index.ts'
import { makeHooks, type HooksDeps } from '#domains/order-management/hooks/index.ts'
import type { Principal, Scope } from '#platform/auth/principal.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeApp } from '#platform/http/app.ts'
import { makePerform, makeWrite } from '#platform/http/idempotency.ts'
import { makeFakeClock, type FakeClock } from './fake-clock.ts'
import { packageCreated } from './make-deliveries.ts'
import { openTestDatabase } from './open-test-database.ts'
import { recordAnswers } from './record-answers.ts'

const person = (userId: number, rights: Partial<Principal>): Principal => ({
  userId,
  email: `${userId}@waybill.test`,
  isStaff: true,
  isSuperuser: false,
  divisionId: null,
  scopes: null,
  ...rights,
})
const limited = (...scopes: Scope[]): Principal => person(2, { scopes })

/** Who calls, by the name in the `x-as` header. */
const people: Readonly<Record<string, Principal>> = {
  root: person(1, { isSuperuser: true }),
  ayse: person(2, {}),
  bora: person(3, {}),
  buyer: person(4, { isStaff: false, divisionId: 1 }),
  'ayse, reading': limited('hooks:read'),
  'ayse, writing': limited('hooks:write'),
  'ayse, elsewhere': limited('quotations:write'),
}

export interface HooksApp {
  readonly app: FastifyInstance
  readonly database: Database
  readonly clock: FakeClock
  readonly subscriptions: Subscriptions
  readonly outbox: Outbox
  /** Nobody runs its jobs but the test. */
  readonly redeliveries: Redeliveries
  readonly installationId: string
  /** A request as one of the people above, such as `GET /hooks/`; the service's path is put before it. */
  readonly call: (
    as: string,
    methodAndPath: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
  /** Raises package.created for the package of this id. */
  readonly raise: (packageId: number) => Promise<void>
  /** Empties the tables. */
  readonly clear: () => Promise<void>
}

const tables = [
  'redeliveries',
  'attempts',
  'deliveries',
  'events',
  'hooks',
  'subscriptionEvents',
  'subscriptions',
  'idempotencyKeys',
] as const

/** The hook service alone on a database of its own, with the caller named in a header instead of logged in. */
export const makeHooksApp = async (
  options: Partial<Pick<HooksDeps, 'attemptNow' | 'checkUrl'>> = {},
): Promise<HooksApp> => {
  const database = await openTestDatabase()
  const { db } = database
  const clock = makeFakeClock()
  const subscriptions = makeSubscriptions({
    vault: makeVault('a key for the tests of the hook service'),
    wake: () => undefined,
  })
  const outbox = makeOutbox({ clock, wake: () => undefined })
  const log = pino({ level: 'silent' })
  const redeliveries = makeRedeliveries({ db, clock, log, wake: () => undefined, settleMs: 0 })
  const keys = { db, ...testIdempotency }
  const installationId = await readInstallationId(db)
  const shared = { db, clock, write: makeWrite(keys), baseUrl: () => 'http://waybill.test' }
  const { eventTypes } = makeEventTypes({ ...shared, listenersOf: async () => 0 })
  const hooks = makeHooks({
    ...shared,
    eventTypes,
    perform: makePerform(keys),
    subscriptions,
    outbox,
    attemptNow: async () => ({ ok: false, reason: 'gone' }),
    redeliveries,
    servicePath: 'whisperer',
    installationId,
    urlKey: Buffer.alloc(32, 2),
    ...options,
  })
  const app = await makeApp({
    log,
    authenticate: async ({ headers }) => people[String(headers['x-as'])],
    description: { version: '0.0.0', webhooks: {} },
    errorShapes: [],
    trustedProxies: [],
    corsOrigins: [],
    routes: [hooks.routes],
  })
  recordAnswers(app)
  afterAll(() => app.close())

  return {
    app,
    database,
    clock,
    subscriptions,
    outbox,
    redeliveries,
    installationId,
    call: (as, methodAndPath, body, headers = {}) => {
      const [method, path] = methodAndPath.split(' ', 2)
      return app.inject({
        method: method as HTTPMethods,
        url: `/whisperer${path ?? ''}`,
        ...(body === undefined ? {} : { payload: body as object }),
        headers: { 'x-as': as, ...headers },
      })
    },
    clear: async () => {
      for (const table of tables) await db.deleteFrom(table).execute()
    },
    raise: (packageId) => inTransaction(db, (tx) => outbox.append(tx, [packageCreated(packageId)])),
  }
}
