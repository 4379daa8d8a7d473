import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { givenSecretProblem } from '#delivery/subscriber/given-secret.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import type { ManageSecrets, SecretChange } from './manage-secrets.ts'
import { toRotatedSecret, toSecretRecord } from './secret-record.ts'
import { Rotate, RotatedSecret, SecretRecord, usualOverlapHours } from './secret-schemas.ts'

export interface SecretRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly secrets: ManageSecrets
  /** `/whisperer/hooks` unless configured otherwise. */
  readonly path: string
}

const read = { access: { role: 'staff', scope: 'hooks:read' } } as const
const change = { access: { role: 'staff', scope: 'hooks:write' } } as const
const tags = ['Order-management hooks']
const hourMs = 3_600_000

/** What signs a hook's deliveries, and its change without a gap (Standard Webhooks 1.0: key rotation). */
export const secretRoutes =
  ({ db, clock, write, secrets, path }: SecretRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${path}/:id/secret`, { schema: getSchema, config: read }, async (request) =>
      toSecretRecord(await secrets.find(db, request.principal, request.params.id), clock.now()),
    )

    app.post(`${path}/:id/secret`, { schema: rotateSchema, config: change }, async (request, reply) => {
      const wanted = readChange(request.body ?? {})
      return write(request, reply, async (tx) => {
        const state = await secrets.rotate(tx, request.principal, request.params.id, wanted)
        return { status: 200, body: toRotatedSecret(state), headers: { 'cache-control': 'no-store' } }
      })
    })

    app.delete(`${path}/:id/secret/previous`, { schema: revokeSchema, config: change }, async (request, reply) =>
      write(request, reply, async (tx) => {
        await secrets.revokePrevious(tx, request.principal, request.params.id)
        return { status: 204 }
      }),
    )
  }

/** @throws AppError 400 for a secret that cannot sign. */
const readChange = (body: { secret_key?: string; overlap_hours?: number }): SecretChange => {
  const { secret_key: secret, overlap_hours: hours = usualOverlapHours } = body
  const problem = secret === undefined ? undefined : givenSecretProblem(secret)
  if (problem !== undefined) throw invalidField('secret_key', problem)
  return { secret, overlapMs: Math.round(hours * hourMs) }
}

const getSchema = {
  tags,
  summary: 'Get what signs the deliveries of a hook',
  operationId: 'getHookSecret',
  params: IdParams,
  response: { ...errorResponses, 200: SecretRecord },
} as const
const rotateSchema = {
  tags,
  summary: 'Change what signs the deliveries of a hook',
  description:
    'The old secret signs beside the new one in webhook-signature until previous_valid_until, so receivers can change over in between. ' +
    'x-whisperer-signature, which has one value, is made with the new one at once. The body can be left out.',
  operationId: 'rotateHookSecret',
  params: IdParams,
  body: Rotate,
  response: { ...errorResponses, 200: RotatedSecret },
} as const
const revokeSchema = {
  tags,
  summary: 'End the overlap after a change of secrets',
  description: 'Old secrets sign no more.',
  operationId: 'revokePreviousHookSecrets',
  params: IdParams,
  response: { ...errorResponses, 204: Type.Null() },
} as const
