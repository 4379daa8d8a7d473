import type { FastifyInstance, FastifyRequest } from 'fastify'
import { obstacleTo, type Access, type Audience, type Obstacle, type Principal } from '../auth/principal.ts'
import { forbidden, notAuthenticated, type AppError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. Required on every route. */
    access?: Access
    /** Statuses that it answers besides those that follow from its method, body and access: 409 and 429. */
    also?: readonly number[]
  }
  interface FastifyRequest {
    /** The caller; set before the body is read on every route that is not public. */
    principal: Principal
    /** When that was, on the clock of `performance.now()`. */
    authenticatedAt: number
  }
  interface FastifyInstance {
    /** Authenticates anew whoever waited, and could have lost their rights meanwhile. @throws AppError 401 or 403. */
    admitAgain(request: FastifyRequest): Promise<void>
  }
}

/**
 * Finds out who is calling from the request's credentials; undefined when there is none or it is not valid.
 * @param audience surface whose own tokens are good here, beside the credentials that are good everywhere.
 */
export type Authenticate = (request: FastifyRequest, audience?: Audience) => Promise<Principal | undefined>

/**
 * Checks the caller of every route before anything else of the request is looked at (contract,
 * section 1: 401, then 403, then 400, then 404), and refuses to start with a route that forgot to
 * say who may call it.
 */
export const guardRoutes = (app: FastifyInstance, authenticate: Authenticate): void => {
  app.decorateRequest('principal')
  app.decorateRequest('authenticatedAt', 0)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`Route ${String(route.method)} ${route.url} does not declare its access.`)
    if (route.config.access === 'public') route.bodyLimit ??= maxWithoutCredential
  })
  const admit = async (request: FastifyRequest): Promise<void> => {
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'public') return
    const principal = await authenticate(request, access.audience)
    if (principal === undefined) {
      throw notAuthenticated(hasCredential(request) ? 'Invalid token.' : undefined)
    }
    const obstacle = obstacleTo(principal, access)
    if (obstacle !== undefined) throw refusal(obstacle)
    request.principal = principal
    request.authenticatedAt = performance.now()
  }
  app.addHook('onRequest', admit)
  // A body may take a minute to arrive: whoever lost their rights meanwhile could still use them.
  const admitAgain = async (request: FastifyRequest): Promise<void> => {
    if (performance.now() - request.authenticatedAt > freshMs) await admit(request)
  }
  app.decorate('admitAgain', admitAgain)
  app.addHook('preValidation', admitAgain)
}

/** Bytes that anybody may send without a credential: a name and a password are short, and reading much takes time from others. */
const maxWithoutCredential = 64 * 1024

/** How old an authentication may be when the work begins. */
const freshMs = 100

/** Whoever was given a limited key can ask for another one, so the answer names the scope that the key lacks. */
const refusal = (obstacle: Obstacle): AppError => {
  if (obstacle.kind === 'scope') return forbidden(`This key lacks the scope ${obstacle.scope}.`)
  if (obstacle.kind === 'limited') return forbidden('Keys that are limited to scopes are refused here.')
  return forbidden()
}

const hasCredential = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-access-token'] !== undefined
