import type { FastifyInstance } from 'fastify'

/** Headers that every answer carries (contract, sections 1 and 11). */
export const setSecurityHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    if (request.routeOptions.url?.startsWith('/api/v1/auth/') === true) reply.header('cache-control', 'no-store')
  })
}
