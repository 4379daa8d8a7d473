import type { Registry } from 'prom-client'
import type { Engine } from '#delivery/engine.ts'
import { subscriptionListRoutes, type SubscriptionListDeps } from '#delivery/surface/subscription-list-routes.ts'
import { isProjectScope, makeAppCenter } from '#domains/app-center/index.ts'
import { skuOf } from '#domains/b2b/index.ts'
import { makeErrorReports } from '#domains/error-reports/index.ts'
import { isFlowScope, makeFlows } from '#domains/flows/index.ts'
import { makeIdentity } from '#domains/identity/index.ts'
import { makeMails } from '#domains/mails/index.ts'
import { makeEventTypes } from '#domains/order-management/event-types/index.ts'
import { makeHooks, type HooksDeps } from '#domains/order-management/hooks/index.ts'
import { makeOrderManagement, type HoldQuotationOrder } from '#domains/order-management/index.ts'
import { makeAudit } from '#platform/http/audit.ts'
import { makePerform, makeWrite } from '#platform/http/idempotency.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { projectErrorShape } from '#platform/http/errors/error-shapes.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { ServerContext } from '../server-context.ts'
import { buildB2b } from './build-b2b.ts'
import { buildHouse } from './build-house.ts'
import type { derivedKeys } from './derived-keys.ts'
import { buildEventSources } from './event-sources.ts'
import { makePageLinks } from './page-links.ts'
import {
  makeRetryReports,
  retryDeliveries,
  retryExports,
  retryOrders,
  type RetrySources,
} from '#failures/retry-sources.ts'
import { makeSubjects, type ReceiverKind } from '#failures/subjects.ts'

export interface BuildDomainsDeps {
  readonly context: ServerContext
  readonly registry: Registry
  readonly keys: ReturnType<typeof derivedKeys>
  readonly engine: Engine
  readonly jobs: Jobs
  readonly mailer: Mailer
  readonly installationId: string
  readonly baseUrl: () => string
}

/** Every domain, connected with the others by functions. */
const connect = (deps: BuildDomainsDeps) => {
  const { context, registry, keys, engine, jobs, mailer, installationId, baseUrl } = deps
  const { config, database, clock, log, passwords } = context
  const { db } = database
  const { vault, hashKeys, tokenKeys, csrfKeys, linkKeys } = keys
  const { outbox, subscriptions, redeliveries, guard } = engine
  const pages = makePageLinks(config, baseUrl)

  const audit = makeAudit({ clock })
  const shared = { db, clock, write: makeWrite({ db, vault, ...hashKeys, audit }), baseUrl }
  const identity = makeIdentity({
    ...shared,
    log,
    audit,
    ...tokenKeys,
    ...csrfKeys,
    config,
    ...(passwords && { passwords }),
    linkMail: { jobs, mailer, pages },
    divisionExists: (tx, id) => b2b.divisionExists(tx, id),
    onAccessLost: (tx, userId) => hooks.switchOffHooksOf(tx, userId),
    organizationsOf: (userId, most) => appCenter.organizationsOf(db, userId, most),
  })
  const holdQuotationOrder = packedOrders((tx, id) => b2b.holdOrder(tx, id))
  const ownEvents = makeEventTypes({
    ...shared,
    listenersOf: (tx, name) => subscriptions.countNaming(tx, 'back-office', name),
  })
  const { eventTypes } = ownEvents
  const orderManagement = makeOrderManagement({ ...shared, outbox, eventTypes, holdQuotationOrder })
  const hooks = buildHooks(deps, { ...shared, eventTypes, holdOwner: identity.holdBackOffice })
  const delivered = { ...shared, outbox, subscriptions, redeliveries, checkUrl: guard.urlProblem, installationId }
  const appCenter = makeAppCenter({ ...delivered, vault, people: identity.people })
  const flows = makeFlows({ ...delivered, engine: config.FLOW_ENGINE, logIn: identity.logInFor('flows') })
  const { sendableScopes } = appCenter
  const sources: RetrySources = {
    delivery: retryDeliveries({ clock, redeliveries, kindOf, sendableScopes }),
    order: retryOrders((tx, ids, { principal, requestId }) =>
      b2b.retryOrders(tx, { userId: principal.userId, requestId }, ids),
    ),
    export: retryExports((tx, ids) => b2b.retryExports(tx, ids)),
  }
  const errorReports = buildErrorReports(deps, { ...shared, findPeople: identity.people.findAll }, sources)
  const b2b = buildB2b({
    shared,
    context,
    engine,
    jobs,
    mailer,
    pages,
    installationId,
    registry,
    people: identity.people,
    linkKeys,
    packagesOf: orderManagement.packagesOfOrders,
    ownFailures: errorReports.ownFailures,
  })

  const mails = makeMails({ ...shared, mailer })
  const house = buildHouse({ shared, identity, orderManagement, hooks, appCenter, flows, errorReports, b2b })
  return { identity, orderManagement, ownEvents, hooks, appCenter, flows, errorReports, b2b, mails, house, pages }
}

const buildHooks = (
  { context: { config, database }, keys: { vault, hashKeys, urlKeys }, engine, installationId }: BuildDomainsDeps,
  shared: Pick<HooksDeps, keyof SliceDeps | 'eventTypes' | 'holdOwner'>,
) =>
  makeHooks({
    ...shared,
    ...urlKeys,
    perform: makePerform({ db: database.db, vault, ...hashKeys }),
    outbox: engine.outbox,
    subscriptions: engine.subscriptions,
    attemptNow: engine.attemptNow,
    redeliveries: engine.redeliveries,
    servicePath: config.WEBHOOK_SERVICE_PATH,
    installationId,
    checkUrl: engine.guard.urlProblem,
  })

/** @param sources what of our own can be tried again by its report. */
const buildErrorReports = (
  { context: { config, log }, jobs }: BuildDomainsDeps,
  shared: Pick<Parameters<typeof makeErrorReports>[0], 'db' | 'clock' | 'write' | 'baseUrl' | 'findPeople'>,
  sources: RetrySources,
) =>
  makeErrorReports({
    ...shared,
    jobs,
    log,
    keepDays: { succeeded: config.ERROR_REPORT_OK_DAYS, resolved: config.ERROR_REPORT_RESOLVED_DAYS },
    retryReports: makeRetryReports(sources),
  })

const kindOf = (scope: string): ReceiverKind => {
  if (isFlowScope(scope)) return 'flow'
  return isProjectScope(scope) ? 'project' : 'hook'
}

/** One list of what gets deliveries, whoever's domain it is of. */
const listOfAll = (
  { context: { database, clock }, engine, baseUrl }: BuildDomainsDeps,
  owners: SubscriptionListDeps['owners'],
) => subscriptionListRoutes({ db: database.db, clock, baseUrl, subscriptions: engine.subscriptions, owners })

/** Orders of quotations as packages are made of them: by sku. */
const packedOrders =
  (holdOrder: ReturnType<typeof buildB2b>['holdOrder']): HoldQuotationOrder =>
  async (tx, orderId) => {
    const order = await holdOrder(tx, orderId)
    if (order === undefined) return undefined
    const quantities = new Map<string, number>()
    for (const item of order.items) {
      const sku = skuOf(item)
      quantities.set(sku, item.quantity + (quantities.get(sku) ?? 0))
    }
    const items = [...quantities].map(([sku, quantity]) => ({ sku, quantity }))
    return { id: order.id, remoteNumber: order.remoteNumber, items }
  }

/** What the original's back office has under two prefixes (contract, section 6). */
const backOfficeAliases = ['auth/login', 'content_types', 'channels', 'channel', 'error_reports'].map((name) => ({
  prefix: `/api/i1/${name}`,
  standsFor: `/api/v1/${name}`,
}))

/** The domains, as the rest of the server needs them. */
export const buildDomains = (deps: BuildDomainsDeps) => {
  const { identity, orderManagement, ownEvents, hooks, appCenter, flows, errorReports, b2b, mails, house, pages } =
    connect(deps)
  const sources = buildEventSources(deps, { ...identity, raise: orderManagement.raiseMessages })
  return {
    authenticate: identity.authenticate,
    anyUser: identity.anyUser,
    ensureSuperuser: identity.ensureSuperuser,
    isAdminPasswordIgnored: identity.isAdminPasswordIgnored,
    /** What subscriptions and failed deliveries are to people. */
    subjects: makeSubjects({
      kindOf,
      alertedWebhook: appCenter.alertedWebhook,
      failedDelivery: appCenter.failedDelivery,
      alertedFlow: flows.alertedFlow,
      failedRun: flows.failedRun,
      ownerOf: hooks.ownerOf,
      addresseeOf: identity.addresseeOf,
      staffAddresseeOf: identity.staffAddresseeOf,
      pages,
      servicePath: deps.context.config.WEBHOOK_SERVICE_PATH,
    }),
    ownFailures: errorReports.ownFailures,
    describeWebhooks: ownEvents.describe,
    routes: [
      identity.routes,
      orderManagement.routes,
      ownEvents.routes,
      hooks.routes,
      appCenter.routes,
      ...errorReports.routes,
      ...flows.routes,
      listOfAll(deps, [hooks.findOwned, appCenter.findOwned, flows.findOwned]),
      ...b2b.routes,
      mails.routes,
      ...house.routes,
    ],
    pathAliases: [...b2b.pathAliases, ...backOfficeAliases],
    errorShapes: [projectErrorShape, ...flows.errorShapes],
    /** What runs beside the requests on processes that work. */
    workers: [...errorReports.workers, ...b2b.workers, ...sources],
    /** Forgets what has expired. Nothing depends on it but space. */
    tidy: () => Promise.all([identity.tidy(), orderManagement.tidy(), mails.tidy(), house.tidy()]),
  }
}
