import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import { givenSecretProblem } from '#delivery/subscriber/given-secret.ts'
import { masked } from '#delivery/subscriber/mask.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { Write } from '#platform/http/idempotency.ts'
import type { SecretChange } from './flow-subscription.ts'
import type { ManageTarget } from './manage-target.ts'
import { getSecretSchema, revokeSchema, rotateSchema, usualOverlapHours } from './secret-schemas.ts'

export interface SecretRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly target: Omit<ManageTarget, 'health'>
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

const config = { access: { role: 'staff', audience: 'flows' } } as const
const hourMs = 3_600_000

/** What signs the data of a flow, and its change without a gap (Standard Webhooks 1.0: key rotation). */
export const secretRoutes =
  ({ db, clock, write, target, path }: SecretRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${path}/:flowId/secret`, { schema: getSecretSchema, config }, async ({ params }) => {
      const state = await target.findSecrets(db, params.flowId)
      return { secret: masked(state.secret), previous_valid_until: previousUntil(state, clock.now()) }
    })

    app.post(`${path}/:flowId/secret`, { schema: rotateSchema, config }, async (request, reply) => {
      const change = readChange(request.body ?? {})
      return write(request, reply, async (tx) => {
        const state = await target.rotateSecret(tx, request.params.flowId, change)
        const body = { secret: state.secret, previous_valid_until: previousUntil(state, clock.now()) }
        return { status: 200, body, headers: { 'cache-control': 'no-store' } }
      })
    })

    app.delete(`${path}/:flowId/secret/previous`, { schema: revokeSchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => {
        await target.revokePreviousSecrets(tx, request.params.flowId)
        return { status: 204 }
      }),
    )
  }

/** @throws AppError 400 for a secret that cannot sign. */
const readChange = (body: { secret?: string; overlap_hours?: number }): SecretChange => {
  const { secret, overlap_hours: hours = usualOverlapHours } = body
  const problem = secret === undefined ? undefined : givenSecretProblem(secret)
  if (problem !== undefined) throw invalidField('secret', problem)
  return { secret, overlapMs: Math.round(hours * hourMs) }
}

/** Until when an old secret signs too; null when none does. */
const previousUntil = (state: SecretState, now: Date): string | null => {
  const last = Math.max(...state.previousUntil.map((until) => until.getTime()))
  return last > now.getTime() ? new Date(last).toISOString() : null
}
