import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { Body, Nullable, Timestamp } from '#platform/http/schemas.ts'
import { memberAccess, objectIdOf, type MemberWrite } from '../access/index.ts'
import { projectErrors } from '../error-responses.ts'
import type { FindWebhooks } from './find-webhooks.ts'
import type { ManageWebhooks } from './manage-webhooks.ts'
import { WebhookParams } from './schemas.ts'
import { collection } from './webhook-path.ts'

export interface SecretRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: MemberWrite
  readonly webhooks: Pick<FindWebhooks & ManageWebhooks, 'findSecret' | 'rotateSecret' | 'revokePreviousSecrets'>
}

const hourMs = 3_600_000
const usualOverlapHours = 24
const longestOverlapHours = 168
const noStore = { 'cache-control': 'no-store' }

/** What signs the deliveries of a webhook, and its change without a gap (contract, section 3). */
export const secretRoutes =
  ({ db, clock, write, webhooks }: SecretRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = `${collection}/:webhookId/secret`

    app.get(path, { schema: getSchema, config: access.get }, async (request, reply) => {
      const id = objectIdOf('webhookId', request.params.webhookId)
      const state = await webhooks.findSecret(db, request.member.projectId, id)
      return reply.headers(noStore).send(toSecretRecord(state, clock.now()))
    })

    app.post(path, { schema: rotateSchema, config: access.rotate }, async (request, reply) => {
      const id = objectIdOf('webhookId', request.params.webhookId)
      const overlapMs = Math.round((request.body?.overlapHours ?? usualOverlapHours) * hourMs)
      return write(request, reply, async (tx, { projectId }) => {
        const state = await webhooks.rotateSecret(tx, projectId, id, overlapMs)
        return { status: 200, body: toSecretRecord(state, clock.now()), headers: noStore }
      })
    })

    app.delete(`${path}/previous`, { schema: revokeSchema, config: access.revoke }, async (request, reply) => {
      const id = objectIdOf('webhookId', request.params.webhookId)
      return write(request, reply, async (tx, { projectId }) => {
        await webhooks.revokePreviousSecrets(tx, projectId, id)
        return { status: 204 }
      })
    })
  }

const toSecretRecord = ({ secret, previousUntil }: SecretState, now: Date) => {
  // A webhook has a secret from the beginning, and nothing takes it away.
  if (secret === null) throw new Error('A project webhook has no secret.')
  const last = Math.max(...previousUntil.map((until) => until.getTime()))
  return { secret, previousValidUntil: last > now.getTime() ? new Date(last).toISOString() : null }
}

// Also for reading: whoever has the secret can pass for this server.
const access = {
  get: memberAccess('getWebhookSecret', 'projects:write'),
  rotate: memberAccess('rotateWebhookSecret', 'projects:write'),
  revoke: memberAccess('revokePreviousWebhookSecret', 'projects:write'),
}

const SecretRecord = Type.Object(
  {
    secret: Type.String({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDwDpVvyVm1eE='] }),
    previousValidUntil: Nullable(Timestamp),
  },
  { title: 'WebhookSecret' },
)
const rotation = Body(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: longestOverlapHours,
        description: `Hours that the old secret signs beside the new one; 0 for not at all. Default: ${usualOverlapHours}.`,
        examples: [usualOverlapHours],
      }),
    ),
  },
  [],
  { title: 'WebhookSecretRotation', examples: [{ overlapHours: usualOverlapHours }] },
)
const Rotation = Type.Unsafe<Static<typeof rotation> | null>({ ...rotation, type: ['object', 'null'] })

const tags = ['Project webhooks']
const response = { ...projectErrors, 200: SecretRecord }
const getSchema = {
  tags,
  summary: 'Get the secret that signs the deliveries of a webhook',
  description: 'For owners and admins. `previousValidUntil`: until when the secret before it signs as well.',
  operationId: 'getProjectWebhookSecret',
  params: WebhookParams,
  response,
} as const
const rotateSchema = {
  tags,
  summary: 'Change the secret that signs the deliveries of a webhook',
  description:
    'Answers the new one. The old one signs beside it until `previousValidUntil`, so that receivers can change over in between; ' +
    'one that others know is cut off with `{"overlapHours": 0}`. The body can be left out.',
  operationId: 'rotateProjectWebhookSecret',
  params: WebhookParams,
  body: Rotation,
  response,
} as const
const revokeSchema = {
  tags,
  summary: 'End the overlap after a change of the secret of a webhook',
  description: 'Secrets that were replaced sign no more. 204 also when there is none.',
  operationId: 'revokePreviousProjectWebhookSecret',
  params: WebhookParams,
  response: { ...projectErrors, 204: Type.Null() },
} as const
