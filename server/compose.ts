import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { readInstallationId } from '#delivery/installation.ts'
import { makeIdentity } from '#domains/identity/index.ts'
import { makeHooks } from '#domains/order-management/hooks/index.ts'
import { makeOrderManagement } from '#domains/order-management/index.ts'
import { webhookDescriptions } from '#events/openapi-webhooks.ts'
import { splitList, type Config } from '#platform/config.ts'
import { checkSecretKey } from '#platform/crypto/check-secret-key.ts'
import { makeApp } from '#platform/http/app.ts'
import { forgetOldKeys } from '#platform/http/idempotency-keys.ts'
import { makePerform, makeWrite } from '#platform/http/idempotency.ts'
import { operationsRoutes } from '#platform/http/operations.ts'
import { makePeriodic } from '#platform/periodic.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeRegistry } from '#platform/telemetry/metrics.ts'
import { buildEngine } from './compose/build-engine.ts'
import { derivedKeys } from './compose/derived-keys.ts'
import type { Ingredients } from './ingredients.ts'

export interface Waybill {
  readonly app: FastifyInstance
  /** What runs beside the requests, in starting order. The last one delivers. */
  readonly services: readonly Service[]
  /** Makes the first superuser if there is no user yet. @returns its login, to be shown once. */
  readonly ensureSuperuser: () => Promise<{ email: string; password: string } | undefined>
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const tidyEveryMs = 600_000

/** The only place that knows every domain: builds them and connects them with functions. */
export const compose = async (ingredients: Ingredients): Promise<Waybill> => {
  const { role, config, database, clock, log } = ingredients
  const { db } = database
  const registry = makeRegistry()
  const { vault, hashKeys, tokenKeys, urlKeys } = derivedKeys(ingredients)
  const write = makeWrite({ db, vault, ...hashKeys })
  const perform = makePerform({ db, vault, ...hashKeys })
  const baseUrl = (): string => config.PUBLIC_URL ?? listeningAt(app, config)
  await checkSecretKey(db, vault)
  const installationId = await readInstallationId(db)

  const { engine, jobs } = buildEngine({
    ingredients,
    vault,
    registry,
    installationId,
    version,
    baseUrl,
    ownerEmail: async (tx, id) => identity.emailOf(tx, await hooks.ownerOf(tx, id)),
  })
  const { outbox, subscriptions, attemptNow, redeliveries, guard } = engine

  const shared = { db, clock, write, baseUrl }
  const identity = makeIdentity({
    ...shared,
    log,
    ...tokenKeys,
    config,
    onAccessLost: (tx, userId) => hooks.switchOffHooksOf(tx, userId),
  })
  const orderManagement = makeOrderManagement({ ...shared, outbox })
  const hooks = makeHooks({
    ...shared,
    perform,
    subscriptions,
    attemptNow,
    redeliveries,
    servicePath: config.WEBHOOK_SERVICE_PATH,
    installationId,
    ...urlKeys,
    holdOwner: identity.holdBackOffice,
    checkUrl: guard.urlProblem,
  })
  const checks = { database: database.ping, worker: async () => engine.check(role !== 'api') }
  const operations = operationsRoutes({ version, registry, checks })
  const app = await makeApp({
    log,
    authenticate: identity.authenticate,
    description: { version, webhooks: webhookDescriptions },
    errorShapes: [],
    trustedProxies: splitList(config.TRUSTED_PROXIES),
    corsOrigins: splitList(config.CORS_ORIGINS),
    // A process that only delivers answers whoever runs it, and nobody else.
    routes: role === 'worker' ? [operations] : [operations, identity.routes, orderManagement.routes, hooks.routes],
  })

  // After every kind of job is defined.
  await jobs.prepare()
  const tidy = tidying(log, () => Promise.all([identity.tidy(), orderManagement.tidy(), forgetOldKeys(db)]))
  const services = [tidy, ...engine.services, ...(role === 'api' ? [] : [jobs.worker, ...engine.workers])]
  return { app, services, ensureSuperuser: identity.ensureSuperuser }
}

const tidying = (log: Logger, run: () => Promise<unknown>): Service =>
  makePeriodic({ name: 'tidy', everyMs: tidyEveryMs, log, run })

const listeningAt = (app: FastifyInstance, { HOST, PORT }: Config): string => {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : PORT
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
}
