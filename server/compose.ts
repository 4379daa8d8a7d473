import type { Vault } from '#platform/crypto/vault.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { readInstallationId } from '#delivery/tables/webhook-id.ts'
import { urlsOf } from '#delivery/secrets/sealed.ts'
import { webhookDescriptions } from '#events/openapi-webhooks.ts'
import { makeFailureReporter } from '#failures/failure-reporter.ts'
import { splitList, type Config } from '#platform/config.ts'
import { checkSecretKey } from '#platform/crypto/check-secret-key.ts'
import { makeProcessSigns } from '#platform/db/process-signs.ts'
import { makeApp } from '#platform/http/app.ts'
import { forgetOldKeys } from '#platform/http/idempotency-keys.ts'
import { frontPageRoutes } from '#platform/http/console/front-page.ts'
import type { ApiDescription } from '#platform/http/openapi/openapi.ts'
import { operationsRoutes } from '#platform/http/operations.ts'
import { makeLoop } from '#platform/loop.ts'
import { foldListCounts } from '#platform/lists/kept-counts.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeRegistry } from '#platform/telemetry.ts'
import { buildDomains } from './compose/build-domains.ts'
import { buildEngine } from './compose/build-engine.ts'
import { readExamples, readFieldTexts } from './compose/api-texts.ts'
import { errorCodes } from './compose/error-codes.ts'
import { derivedKeys } from './compose/derived-keys.ts'
import { makeGauges, measureConnections } from './compose/gauges.ts'
import { openConsole, openGuide } from './compose/open-console.ts'
import { readinessChecks } from './compose/readiness.ts'
import { streamRoutes } from './compose/stream/stream-routes.ts'
import { makeSystemRoutes } from './compose/system-facts.ts'
import type { ServerContext } from './server-context.ts'
import { version } from './version.ts'

export interface Waybill {
  readonly app: FastifyInstance
  /** What runs beside the requests, in starting order. */
  readonly services: readonly Service[]
  /** Makes the first superuser if there is no user yet. @returns its login, to be shown once. */
  readonly ensureSuperuser: () => Promise<{ email: string; password: string } | undefined>
  /** Whether ADMIN_PASSWORD lets nobody in, where there were users already. */
  readonly isAdminPasswordIgnored: () => Promise<boolean>
}

const tidyEveryMs = 600_000

/** Builds the engine, the domains and the application around them, and connects them with functions. */
export const compose = async (context: ServerContext): Promise<Waybill> => {
  const { role, config, database, log } = context
  const { db } = database
  const registry = makeRegistry()
  const keys = derivedKeys(context)
  const { vault } = keys
  const baseUrl = (): string => config.PUBLIC_URL ?? listening()
  await checkSecretKey(db, vault)
  const installationId = await readInstallationId(db)

  const { engine, jobs, mailer } = buildEngine({
    context,
    vault,
    registry,
    installationId,
    version,
    alertSubject: (tx, notice) => domains.subjects.alertSubject(tx, notice),
    onWritten: (written) => failures.notice(written),
  })
  const domains = buildDomains({ context, registry, keys, engine, jobs, mailer, installationId, baseUrl })
  const superuser = makeFirstSuperuser(domains)
  const works = (): boolean => role !== 'api' && engine.isWorking()
  const signs = makeProcessSigns(database, log, works)
  const checks = readinessChecks({ role, database, signs, works, hasUser: superuser.isThere })
  const operations = operationsRoutes({ version, registry, checks })
  const web = openConsole(context, version)
  const system = makeSystemRoutes({ context, version, checks, signs, isMailConfigured: mailer.isConfigured })
  // A process that only delivers answers whoever runs it, and nobody else.
  const answered =
    web === undefined
      ? [frontPageRoutes(version)]
      : [web.routes, openGuide(context), system, ...domains.routes, streamRoutes({ db, log, registry, engine })]
  // The database prepares the jobs, every kind of which is defined by now, while this thread registers the routes.
  const preparing = jobs.prepare()
  const making = makeApp({
    log,
    registry,
    tracing: context.tracing,
    authenticate: domains.authenticate,
    description: describe(domains),
    errorShapes: domains.errorShapes,
    pathAliases: domains.pathAliases,
    trustedProxies: splitList(config.TRUSTED_PROXIES),
    corsOrigins: splitList(config.CORS_ORIGINS),
    pages: web,
    routes: [operations, ...answered],
  })
  const [app] = await Promise.all([making, preparing, superuser.look()])
  const listening = listeningAt(app, config)

  const tidy = tidying(log, () => Promise.all([domains.tidy(), forgetOldKeys(db), foldListCounts(db)]))
  const failures = reportFailures(context, vault, domains)
  measureConnections(registry, database)
  const workers = [jobs.worker, makeGauges(registry, database, log), failures, ...domains.workers, ...engine.workers]
  // Beside the embedded database there is nobody to see a sign.
  const seen = database.engine === 'postgres' ? [signs.service] : []
  const services = [tidy, ...engine.services, ...(role === 'api' ? [] : [...workers, ...seen])]
  return { app, services, ensureSuperuser: superuser.ensure, isAdminPasswordIgnored: domains.isAdminPasswordIgnored }
}

const reportFailures = (
  { database: { db }, clock, log }: ServerContext,
  vault: Vault,
  { subjects, ownFailures }: Pick<ReturnType<typeof buildDomains>, 'subjects' | 'ownFailures'>,
) =>
  makeFailureReporter({
    db,
    clock,
    log,
    urlsOf: (tx, ids) => urlsOf(tx, vault, ids),
    subjectOf: subjects.failedSubject,
    ownFailures,
  })

const describe = ({ describeWebhooks }: ReturnType<typeof buildDomains>): ApiDescription => ({
  version,
  webhooks: webhookDescriptions,
  ownWebhooks: describeWebhooks,
  errorCodes,
  fieldTexts: readFieldTexts(),
  readExamples,
})

/** Nobody can log in before there is a superuser, and the server listens already when the first one is made. */
const makeFirstSuperuser = ({
  anyUser,
  ensureSuperuser,
}: Pick<ReturnType<typeof buildDomains>, 'anyUser' | 'ensureSuperuser'>) => {
  let isThere = false
  return {
    /** Whether there is a user is asked early: at the end of a start the database is busy with what all loops ask at once. */
    look: async () => {
      isThere = await anyUser()
    },
    ensure: async () => {
      if (isThere) return undefined
      const login = await ensureSuperuser()
      isThere = true
      return login
    },
    isThere: () => isThere,
  }
}

const tidying = (log: Logger, run: () => Promise<unknown>): Service =>
  makeLoop({ name: 'tidy', everyMs: tidyEveryMs, log, run })

/** Asking the system for the port takes as long as a small answer, so it is asked until it is known. */
const listeningAt = ({ server }: FastifyInstance, { HOST, PORT }: Config): (() => string) => {
  let known: number | undefined
  return () => {
    const address = known === undefined ? server.address() : undefined
    if (typeof address === 'object' && address !== null) known = address.port
    return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${known ?? PORT}`
  }
}
