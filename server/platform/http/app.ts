import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, { LogController, type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import { Histogram, type Registry } from 'prom-client'
import { notFound } from '../errors.ts'
import { guardRoutes, type Authenticate } from './access.ts'
import { recordRoutes } from './allowed-methods.ts'
import type { Pages } from './console/console.ts'
import { answerClientError } from './errors/client-errors.ts'
import { asAppError, handleErrors, makeSendError } from './errors/error-handler.ts'
import type { ErrorShape } from './errors/error-shapes.ts'
import { refuseOddKeys } from './idempotency.ts'
import { acceptJson, refuseUnsafeUrls } from './json-body.ts'
import { describeApi, type ApiDescription } from './openapi/openapi.ts'
import { withoutAlias, type PathAlias } from './path-aliases.ts'
import { originForm } from './request-path.ts'
import { serializeBySchema } from './serialization.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { traceRequests } from './trace-requests.ts'
import { refuseUnknownParameters } from './unknown-parameters.ts'
import { validateStrictly } from './validation.ts'

export interface AppOptions {
  readonly log: Logger
  /** Where requests are counted. */
  readonly registry?: Registry
  readonly tracing?: Tracing | undefined
  readonly authenticate: Authenticate
  readonly description: ApiDescription
  /** Error shapes of surfaces that have their own. */
  readonly errorShapes: readonly ErrorShape[]
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Second ways to write paths. */
  readonly pathAliases?: readonly PathAlias[]
  /** What is shown where there is no route. */
  readonly pages?: Pages | undefined
  readonly routes: readonly FastifyPluginAsync[]
}

const oneMiB = 1_048_576

/** Builds the HTTP application: everything the contract says of every request, then the routes. Not listening yet. */
export const makeApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { pathAliases = [] } = options
  const sendError = makeSendError(options.errorShapes)
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A target in absolute form names a host of the caller's choice; only its path counts (RFC 9112, section 3.2.2).
    rewriteUrl: ({ url = '/' }) => withoutAlias(pathAliases, originForm(url)),
    bodyLimit: oneMiB,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // Whole request within a minute, so a slow sender cannot hold a socket for ever.
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // Paths the router cannot even read.
    frameworkErrors: (error, request, reply) => {
      void sendError(request, reply, asAppError(error) ?? notFound())
    },
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance

  const routes = recordRoutes(app)
  handleErrors(app, sendError, routes, options.pages)
  validateStrictly(app)
  serializeBySchema(app)
  acceptJson(app)
  setSecurityHeaders(app)
  if (options.corsOrigins.length > 0) await app.register(cors, { origin: [...options.corsOrigins] })
  if (options.tracing !== undefined) traceRequests(app, options.tracing)
  // Before the guard: the pages of the reference are public and declare nothing.
  await describeApi(app, options.description)
  guardRoutes(app, options.authenticate)
  refuseUnsafeUrls(app)
  refuseUnknownParameters(app)
  refuseOddKeys(app)
  logRequests(app, options.log)
  if (options.registry !== undefined) measureRequests(app, options.registry)
  for (const plugin of options.routes) await app.register(plugin)
  await app.ready()
  return app
}

/** One line for each request, without query or body, which may hold secrets. */
const logRequests = (app: FastifyInstance, log: Logger): void => {
  // Looking for secrets where there can be none takes four times as long as writing the line.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', async (request, reply) => {
    const facts = {
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    lines.info(facts, 'request.completed')
  })
}

/** Labels are few: patterns of routes, methods, classes of statuses. About 1 µs a request. */
const measureRequests = (app: FastifyInstance, registry: Registry): void => {
  const seconds = new Histogram({
    name: 'waybill_http_request_seconds',
    help: 'Requests and how long their answers took, by route, method and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? 'none'
    seconds.observe({ method, route, status: `${Math.floor(statusCode / 100)}xx` }, elapsedTime / 1_000)
  })
}

/** Headers that every answer carries (contract, sections 1 and 11). */
const setSecurityHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    const { url, config } = request.routeOptions
    // Caches between keep what was asked for with a cookie, unlike what was asked for with Authorization (RFC 9111, 3.5).
    const isOfCookie = request.headers.cookie !== undefined && config?.access !== 'public'
    if (isOfCookie || url?.startsWith('/api/v1/auth/') === true) reply.header('cache-control', 'no-store')
  })
}
