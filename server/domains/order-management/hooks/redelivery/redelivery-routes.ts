import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { redeliveryList } from '#delivery/redelivery/redelivery-store.ts'
import type { Db } from '#platform/db/database.ts'
import type { Answer, Write } from '#platform/http/idempotency.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { Described, IdParams } from '#platform/http/schemas.ts'
import { changing, reading, route } from '../hook-surface.ts'
import type { ManageRedeliveries, Requested } from './manage-redeliveries.ts'
import { toCount, toRedeliveryRecord } from './redelivery-record.ts'
import {
  RecoverBody,
  RecoveryCount,
  RedeliveryCount,
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

    app.post(`${servicePath}/hooks/:id/recover`, recover, async (request, reply) =>
      write(request, reply, async (tx) =>
        answerOf(await redeliveries.recover(tx, request.principal, request.params.id, request.body)),
      ),
    )

    app.post(`${servicePath}/hook_events/retry`, retry, async (request, reply) =>
      write(request, reply, async (tx) => answerOf(await redeliveries.retry(tx, request.principal, request.body))),
    )

    app.post(`${servicePath}/hook_events/:id/replay`, replay, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { principal, params, body } = request
        const hooks = await redeliveries.replay(tx, principal, params.id, body?.hooks)
        return { status: 202, body: { queued: hooks.length, hooks } }
      }),
    )

    app.get(path, list, async (request, reply) => {
      const found = await redeliveries.list(db, request.principal, request.query)
      return sendList(reply, baseUrl(), found, toRedeliveryRecord)
    })

    app.get(`${path}/:id`, get, async (request) =>
      toRedeliveryRecord(await redeliveries.find(db, request.principal, request.params.id)),
    )

    app.post(`${path}/:id/cancel`, cancel, async (request, reply) =>
      write(request, reply, async (tx) => {
        const job = await redeliveries.cancel(tx, request.principal, request.params.id)
        return { status: 200, body: toRedeliveryRecord(job) }
      }),
    )
  }

const counted = 'Nothing is started: how many it would be.'
const started = Described('The redelivery, which is started.', RedeliveryRecord)
const recover = route(
  changing(
    'recoverHook',
    'Send a hook what it missed',
    'Every event of its kind since a time, and since there is the hook: one that failed, was held or was never queued is put ' +
      'in the queue, one that was delivered or is due is left alone. Without `start` only counted. 200 also when there is nothing to do.',
  ),
  { params: IdParams, body: RecoverBody, response: { 200: Described(counted, RecoveryCount), 202: started } },
)
const retry = route(
  changing(
    'retryHookEvents',
    'Send many deliveries again',
    'Those that match the filter and failed or are held; with `force` also those that were delivered. ' +
      'Without `start` only counted. 200 also when there is nothing to do.',
  ),
  { body: RetryBody, response: { 200: Described(counted, RedeliveryCount), 202: started } },
)
const replay = route(
  changing(
    'replayHookEvent',
    'Send an event again to every hook that listens',
    'The event of this delivery, to every active hook of the caller that listens to it now, whether or not it got it before. ' +
      'What is due or under way is left alone.',
  ),
  { params: IdParams, body: ReplayBody, response: { 202: ReplayResult } },
)
const list = route(
  reading(
    'listRedeliveries',
    'List redeliveries',
    'Those that the caller asked for, and those of the caller’s hooks; the newest first.',
  ),
  { querystring: redeliveryList.querystring, response: { 200: Type.Array(RedeliveryRecord) } },
)
const one = { params: IdParams, response: { 200: RedeliveryRecord } }
const get = route(reading('getRedelivery', 'Get a redelivery'), one)
const cancel = route(changing('cancelRedelivery', 'Cancel a redelivery', 'What it has queued stays in the queue.'), one)
