import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import type { Answer, Write } from '#platform/http/idempotency.ts'
import { sendArray } from '#platform/http/pagination.ts'
import { Described, errorResponses, IdParams } from '#platform/http/schemas.ts'
import type { ManageRedeliveries, Requested } from './manage-redeliveries.ts'
import { toCount, toRedeliveryRecord } from './redelivery-record.ts'
import {
  RecoverBody,
  RecoveryCount,
  RedeliveryCount,
  RedeliveryQuery,
  RedeliveryRecord,
  ReplayBody,
  ReplayResult,
  RetryBody,
} from './redelivery-schemas.ts'

export interface RedeliveryRoutesDeps {
  readonly db: Db
  readonly write: Write
  readonly baseUrl: () => string
  readonly redeliveries: ManageRedeliveries
  /** `/whisperer` unless configured otherwise. */
  readonly servicePath: string
}

const read = { access: { role: 'staff', scope: 'hooks:read' } } as const
const change = { access: { role: 'staff', scope: 'hooks:write' } } as const
const tags = ['Order-management hooks']

/** Putting deliveries back in the queue: what a hook missed, what a filter matches, one event again. */
export const redeliveryRoutes =
  ({ db, write, baseUrl, redeliveries, servicePath }: RedeliveryRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = `${servicePath}/redeliveries`
    const answerOf = (requested: Requested): Answer =>
      requested.job === undefined
        ? { status: 200, body: toCount(requested) }
        : {
            status: 202,
            body: toRedeliveryRecord(requested.job),
            headers: { location: `${baseUrl()}${path}/${requested.job.id}/` },
          }

    app.post(`${servicePath}/hooks/:id/recover`, { schema: recoverSchema, config: change }, async (request, reply) =>
      write(request, reply, async (tx) =>
        answerOf(await redeliveries.recover(tx, request.principal, request.params.id, request.body)),
      ),
    )

    app.post(`${servicePath}/hook_events/retry`, { schema: retrySchema, config: change }, async (request, reply) =>
      write(request, reply, async (tx) => answerOf(await redeliveries.retry(tx, request.principal, request.body))),
    )

    app.post(
      `${servicePath}/hook_events/:id/replay`,
      { schema: replaySchema, config: change },
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const { principal, params, body } = request
          const hooks = await redeliveries.replay(tx, principal, params.id, body?.hooks)
          return { status: 202, body: { queued: hooks.length, hooks } }
        }),
    )

    app.get(path, { schema: listSchema, config: read }, async (request, reply) => {
      const { rows, count } = await redeliveries.list(db, request.principal, request.query)
      return sendArray(reply, baseUrl(), request.query, { rows: rows.map(toRedeliveryRecord), count })
    })

    app.get(`${path}/:id`, { schema: getSchema, config: read }, async (request) =>
      toRedeliveryRecord(await redeliveries.find(db, request.principal, request.params.id)),
    )

    app.post(`${path}/:id/cancel`, { schema: cancelSchema, config: change }, async (request, reply) =>
      write(request, reply, async (tx) => {
        const job = await redeliveries.cancel(tx, request.principal, request.params.id)
        return { status: 200, body: toRedeliveryRecord(job) }
      }),
    )
  }

const counted = 'Nothing is started: how many it would be.'
const requested = {
  ...errorResponses,
  200: Described(counted, RedeliveryCount),
  202: Described('The redelivery, which is started.', RedeliveryRecord),
}
const recoverSchema = {
  tags,
  summary: 'Send a hook what it missed',
  description:
    'Every event of its kind since a time, and since there is the hook: one that failed, was held or was never queued is put ' +
    'in the queue, one that was delivered or is due is left alone. Without `start` only counted. 200 also when there is nothing to do.',
  operationId: 'recoverHook',
  params: IdParams,
  body: RecoverBody,
  response: { ...requested, 200: Described(counted, RecoveryCount) },
} as const
const retrySchema = {
  tags,
  summary: 'Send many deliveries again',
  description:
    'Those that match the filter and failed or are held; with `force` also those that were delivered. ' +
    'Without `start` only counted. 200 also when there is nothing to do.',
  operationId: 'retryHookEvents',
  body: RetryBody,
  response: requested,
} as const
const replaySchema = {
  tags,
  summary: 'Send an event again to every hook that listens',
  description:
    'The event of this delivery, to every active hook of the caller that listens to it now, whether or not it got it before. ' +
    'What is due or under way is left alone.',
  operationId: 'replayHookEvent',
  params: IdParams,
  body: ReplayBody,
  response: { ...errorResponses, 202: ReplayResult },
} as const
const listSchema = {
  tags,
  summary: 'List redeliveries',
  description: 'Those that the caller asked for, and those of the caller’s hooks; the newest first.',
  operationId: 'listRedeliveries',
  querystring: RedeliveryQuery,
  response: { ...errorResponses, 200: Type.Array(RedeliveryRecord) },
} as const
const getSchema = {
  tags,
  summary: 'Get a redelivery',
  operationId: 'getRedelivery',
  params: IdParams,
  response: { ...errorResponses, 200: RedeliveryRecord },
} as const
const cancelSchema = {
  tags,
  summary: 'Cancel a redelivery',
  description: 'What it has queued stays in the queue.',
  operationId: 'cancelRedelivery',
  params: IdParams,
  response: { ...errorResponses, 200: RedeliveryRecord },
} as const
