import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayCall, type Access, type Principal } from '../auth/principal.ts'
import { forbidden, notAuthenticated } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. Required on every route. */
    access?: Access
  }
  interface FastifyRequest {
    /** The caller; set before the body is read on every route that is not public. */
    principal: Principal
  }
}

/** Finds out who is calling from the request's credentials; undefined when there is none or it is not valid. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal | undefined>

/**
 * Checks the caller of every route before anything else of the request is looked at (contract,
 * section 1: 401, then 403, then 400, then 404), and refuses to start with a route that forgot to
 * say who may call it.
 */
export const guardRoutes = (app: FastifyInstance, authenticate: Authenticate): void => {
  app.decorateRequest('principal')
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`Route ${String(route.method)} ${route.url} does not declare its access.`)
  })
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'public') return
    const principal = await authenticate(request)
    if (principal === undefined) {
      throw notAuthenticated(hasCredential(request) ? 'Invalid token.' : undefined)
    }
    if (!mayCall(principal, access)) throw forbidden()
    request.principal = principal
  })
}

const hasCredential = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-access-token'] !== undefined
