import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { attemptList, listAttempts, type AttemptQuery, type LoggedAttempt } from '#delivery/log/attempt-log.ts'
import { attemptOutcomes } from '#delivery/tables/tables.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { reading, route } from '../hook-surface.ts'

const HookAttempt = Type.Object(
  {
    hook_event: Id,
    uuid: Type.String({ description: 'The webhook-id that every attempt of it carries.' }),
    event_type: Nullable(Type.String()),
    number: Type.Integer({ description: 'Among the attempts of the hook event.' }),
    started_at: Timestamp,
    ended_at: Nullable(Timestamp),
    duration_ms: Nullable(Type.Integer()),
    outcome: OneOf(attemptOutcomes, { description: 'unknown: the server stopped before the attempt ended.' }),
    reason: Nullable(
      Type.String({ description: 'Why it ended as it did, in a word.', examples: ['timeout', 'http_503'] }),
    ),
    response_http_status: Nullable(Type.Integer()),
    next_due: Nullable(Timestamp),
  },
  { title: 'HookAttempt', description: 'One attempt of any delivery to a hook.' },
)

const toWire = makeToWire<LoggedAttempt, typeof HookAttempt, [installationId: string]>(HookAttempt, {
  hook_event: 'deliveryId',
  uuid: ({ deliveryId }, installationId) => webhookIdOf(deliveryId, installationId),
  started_at: ({ startedAt }) => startedAt.toISOString(),
  ended_at: ({ startedAt, durationMs }) =>
    durationMs === null ? null : new Date(startedAt.getTime() + durationMs).toISOString(),
  response_http_status: 'responseStatus',
  next_due: ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null,
})

/** Every attempt of all deliveries of a hook, also of a removed one (contract, section 4). */
export const attemptRoutes =
  ({
    db,
    path,
    owner,
    baseUrl,
    installationId,
  }: Surface & { readonly baseUrl: () => string; readonly installationId: string }): FastifyPluginAsync =>
  async (app) => {
    app.get(`${path}/attempts`, list, async (request, reply) => {
      const id = await owner(request).findHistory(db)
      const found = await listAttempts(db, id, request.query as AttemptQuery)
      return sendList(reply, baseUrl(), found, (attempt) => toWire(attempt, installationId))
    })
  }

const list = route(
  reading(
    'listHookAttempts',
    'List every attempt of a hook',
    'Those of the newest hook event first, and of these the last one. What was sent and answered: GET …/hook_events/{id}/.',
  ),
  { params: IdParams, querystring: attemptList.querystring, response: { 200: Type.Array(HookAttempt) } },
)
