import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { Body, Described } from '#platform/http/schemas.ts'
import { timeFrom } from '#platform/time-text.ts'
import { memberAccess, objectIdOf, type MemberWrite } from '../access/index.ts'
import { projectErrors } from '../error-responses.ts'
import type { Recover } from './recover.ts'
import { WebhookParams } from './schemas.ts'
import { collection } from './webhook-path.ts'

export interface RecoveryRoutesDeps {
  readonly write: MemberWrite
  readonly recover: Recover
}

/** Sending a webhook again what failed or was held. */
export const recoveryRoutes =
  ({ write, recover }: RecoveryRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(`${collection}/:webhookId/recover`, { schema, config: access }, async (request, reply) => {
      const id = objectIdOf('webhookId', request.params.webhookId)
      const { since, dryRun = false } = request.body ?? {}
      const wanted = { since: timeFrom('since', since), dryRun }
      return write(request, reply, async (tx, { projectId }) => {
        const body = await recover(tx, projectId, id, wanted)
        return { status: dryRun ? 200 : 202, body }
      })
    })
  }

const access = memberAccess('recoverWebhook', 'projects:write')

const body = Body(
  {
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Deliveries made since then. Absent: all that are kept.',
        examples: ['2026-11-21T09:30:00Z'],
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count. Default: false.' })),
  },
  [],
  { title: 'WebhookRecovery', examples: [{ since: '2026-11-21T09:30:00Z', dryRun: true }] },
)
const Recovery = Type.Unsafe<Static<typeof body> | null>({ ...body, type: ['object', 'null'] })

const Recovered = Type.Object(
  {
    count: Type.Integer({ description: 'Deliveries that are sent again.' }),
    isExact: Type.Boolean({ description: 'false when there are more than were counted.' }),
  },
  { title: 'WebhookRecovered' },
)

const schema = {
  tags: ['Project webhooks'],
  summary: 'Send a webhook again what failed or was held',
  description:
    'Every delivery that failed for good or is held goes in the queue, at most 200 in a second, with the same webhook-id and the same ' +
    'bytes. What is due, and what was delivered, is left alone. 400 when the webhook is not active. The body can be left out.',
  operationId: 'recoverProjectWebhook',
  params: WebhookParams,
  body: Recovery,
  response: {
    ...projectErrors,
    200: Described('With `dryRun`: how many it would be.', Recovered),
    202: Described('How many are sent again; it goes on by itself.', Recovered),
  },
} as const
