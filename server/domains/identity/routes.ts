import type { FastifyPluginAsync } from 'fastify'
import { apiKeysRoutes, type ApiKeysRoutesDeps } from './api-keys-routes.ts'
import { authRoutes, type AuthRoutesDeps } from './auth-routes.ts'
import { usersRoutes, type UsersRoutesDeps } from './users-routes.ts'

/** Every route of this domain. */
export const identityRoutes =
  (deps: AuthRoutesDeps & ApiKeysRoutesDeps & UsersRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    for (const routes of [authRoutes(deps), apiKeysRoutes(deps), usersRoutes(deps)]) await app.register(routes)
  }
