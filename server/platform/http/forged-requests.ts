import type { FastifyRequest } from 'fastify'
import type { SessionCookie } from '../auth/session-cookie.ts'
import { forbidden } from '../errors.ts'

/** Requests that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what a page of somebody else made a browser send with our cookie.
 * @param loginKey what the cookie holds.
 * @throws AppError 403 unless it changes nothing, or has the token of this login.
 */
export const refuseForged = (request: FastifyRequest, cookie: SessionCookie, loginKey: string): void => {
  if (safeMethods.has(request.method)) return
  refuseOfOtherSites(request)
  const { 'x-csrf-token': token } = request.headers
  if (token === undefined)
    throw forbidden('With the session cookie, x-csrf-token is required: GET /api/v1/auth/session/ answers it.')
  if (typeof token !== 'string' || !cookie.isCsrfToken(loginKey, token))
    throw forbidden('x-csrf-token is not that of this session: GET /api/v1/auth/session/ answers it.')
}

/** @throws AppError 403 where the browser says that a page of another site sends this. */
export const refuseOfOtherSites = ({ headers }: FastifyRequest): void => {
  if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('Pages of other sites cannot use the session cookie.')
}
