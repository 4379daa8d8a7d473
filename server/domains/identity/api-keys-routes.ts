import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { newKey } from '#platform/auth/random-keys.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { invalidField, notAuthenticated, notFound } from '#platform/errors.ts'
import type { Audit } from '#platform/http/audit.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { parseTime } from '#platform/time-text.ts'
import type { Authenticator } from './authenticate.ts'
import { apiKeyList, deleteApiKey, insertKey, listApiKeys } from './credential-store.ts'
import { ApiKey, apiKeyToWire, CreatedApiKey, NewApiKey } from './schemas.ts'
import { holdCredentials } from './user-store.ts'

export interface ApiKeysRoutesDeps extends Pick<SliceDeps, 'db' | 'clock' | 'baseUrl'> {
  readonly audit: Audit
  /** Remembers nothing: a key is made for who is there now. */
  readonly freshAuthenticator: Authenticator
}

/** No scope: a limited key could otherwise make itself one without limits. */
const operation = operationsFor({ access: { role: 'user' } })

/** The caller's own API keys. Not idempotent by key: the answer shows a secret, which is never stored. */
export const apiKeysRoutes =
  ({ db, clock, baseUrl, audit, freshAuthenticator }: ApiKeysRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/auth/api-keys', listOptions, async (request, reply) => {
      const found = await listApiKeys(db, request.query, request.principal.userId)
      return sendList(reply, baseUrl(), found, apiKeyToWire)
    })

    app.post('/api/v1/auth/api-keys', createOptions, async (request, reply) => {
      const { name, scopes, expires_at: expiry } = request.body
      const now = clock.now()
      const { key, hash, prefix } = newKey('api')
      // Asked again for the version to hold on to: the credential may have been revoked since the request came.
      const caller = await freshAuthenticator(request.raw.rawHeaders)
      if (caller === undefined) throw notAuthenticated()
      const { id: userId, credentialsVersion } = caller.user
      const expiresAt = expiryFrom(expiry, now, caller.credential.kind === 'key' ? caller.credential.latest : null)

      const created = await inTransaction(db, async (tx) => {
        if (!(await holdCredentials(tx, userId, credentialsVersion))) throw notAuthenticated()
        const granted = scopes === undefined || scopes === null ? null : [...new Set(scopes)]
        const row = { userId, kind: 'api', name, prefix, keyHash: hash, scopes: granted } as const
        const made = await insertKey(tx, { ...row, createdAt: now, expiresAt })
        const after = { name, scopes: granted, expires_at: expiresAt?.toISOString() ?? null }
        await audit(tx, request, { objectType: 'api-keys', objectId: String(made.id), after })
        return made
      })
      return reply.code(201).send({ ...apiKeyToWire(created), key })
    })

    app.delete('/api/v1/auth/api-keys/:id', deleteOptions, async (request, reply) => {
      const { id } = request.params
      const found = await inTransaction(db, async (tx) => {
        const isDeleted = await deleteApiKey(tx, request.principal.userId, id)
        if (isDeleted) await audit(tx, request, { objectId: String(id) })
        return isDeleted
      })
      if (!found) throw notFound()
      return reply.code(204).send(null)
    })
  }

/**
 * When a new API key ends; null means never.
 * @param latest when the API key ends that makes it; null when nothing limits it.
 * @param text RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC (contract, section 1).
 * @throws AppError 400 when it is no time, has passed, or is later than `latest`.
 */
export const expiryFrom = (text: string | null | undefined, now: Date, latest: Date | null = null): Date | null => {
  const expiresAt = text === null || text === undefined ? null : momentOf(text, now)
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return expiresAt
  throw invalidField(
    'expires_at',
    `A key that is made with an API key may not outlive it: choose a time up to ${latest.toISOString()}.`,
  )
}

const momentOf = (text: string, now: Date): Date => {
  const time = parseTime(text)
  if (time === undefined) throw invalidField('expires_at', 'Expected a date and time such as 2027-01-31T00:00:00Z.')
  if (time <= now) throw invalidField('expires_at', 'Choose a time in the future.')
  return time
}

const route = makeRouteOptions('Authentication', errorResponses)
const listOptions = route(
  operation('listApiKeys', 'List my API keys', 'Of each only the prefix: what it is sent as was shown once.'),
  {
    querystring: apiKeyList.querystring,
    response: { 200: Type.Array(ApiKey) },
  },
)
const createOptions = route(
  operation(
    'createApiKey',
    'Make an API key',
    'The key is shown in this answer only. `write` of an area includes `read`. A key never has more rights than its user, and one that is made with an API key ends no later than that.',
  ),
  { body: NewApiKey, response: { 201: CreatedApiKey } },
)
const deleteOptions = route(
  operation('deleteApiKey', 'Revoke one of my API keys', 'Requests with it are 401 from now on.'),
  {
    params: IdParams,
    response: { 204: Type.Null() },
  },
)
