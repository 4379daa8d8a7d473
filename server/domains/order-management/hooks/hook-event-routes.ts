import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { attemptsOf, findDelivery, listDeliveries, type Delivery } from '#delivery/log/delivery-log.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { notFound } from '#platform/errors.ts'
import type { Perform } from '#platform/http/idempotency.ts'
import { orderingOf, sendArray } from '#platform/http/pagination.ts'
import { Described, errorResponses, IdParams } from '#platform/http/schemas.ts'
import { OptionalBody } from '../request-fields.ts'
import { deliveryFilterOf } from './hook-event-filter.ts'
import { toAttemptRecord, toEventRecord } from './hook-event-record.ts'
import { HookEventDetail, HookEventQuery, HookEventRecord, RetryResult } from './hook-event-schemas.ts'
import { truthOf } from './hook-schemas.ts'
import { hooksOfEvents } from './hook-of-event.ts'
import { hookIdsOf } from './hooks-store.ts'
import { visibleTo } from './manage-hooks.ts'
import { retryHookEvent, type AttemptNow } from './retry-hook-event.ts'

export interface HookEventRoutesDeps {
  readonly db: Db
  readonly perform: Perform
  readonly baseUrl: () => string
  /** `/whisperer/hook_events` unless configured otherwise. */
  readonly path: string
  readonly installationId: string
  readonly attemptNow: AttemptNow
  readonly subscriptions: Pick<Subscriptions, 'findAll'>
}

const read = { access: { role: 'staff', scope: 'hooks:read' } } as const
const change = { access: { role: 'staff', scope: 'hooks:write' } } as const
const tags = ['Order-management hooks']

/** What was delivered to the caller's hooks, removed ones included (contract, section 4). */
export const hookEventRoutes =
  ({
    db,
    perform,
    baseUrl,
    path,
    installationId,
    attemptNow,
    subscriptions,
  }: HookEventRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const recordsOf = async (deliveries: readonly Delivery[]): Promise<HookEventRecord[]> => {
      const ids = deliveries.map(({ subscriptionId }) => subscriptionId)
      const hooks = await hooksOfEvents(db, subscriptions, ids)
      return deliveries.map((delivery) => toEventRecord(delivery, hooks, installationId))
    }

    const find = async (who: Principal, id: number): Promise<Delivery> => {
      const delivery = await findDelivery(db, id, await hookIdsOf(db, visibleTo(who)))
      if (delivery === undefined) throw notFound()
      return delivery
    }

    app.get(path, { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = '-created_date', ...query } = request.query
      const visible = await hookIdsOf(db, visibleTo(request.principal))
      const filter = deliveryFilterOf({ ...query, delivered: truthOf(query.delivered) }, visible, installationId)
      const { rows, count } = await listDeliveries(db, filter, orderingOf(ordering).direction, { page, limit })
      return sendArray(reply, baseUrl(), { page, limit }, { rows: await recordsOf(rows), count })
    })

    app.get(`${path}/:id`, { schema: getSchema, config: read }, async (request) => {
      const delivery = await find(request.principal, request.params.id)
      const [record] = await recordsOf([delivery])
      if (record === undefined) throw notFound()
      return { ...record, attempts: (await attemptsOf(db, delivery.id)).map(toAttemptRecord) }
    })

    app.post(`${path}/:id/retry`, { schema: retrySchema, config: change }, async (request, reply) =>
      perform(request, reply, async () => {
        const delivery = await find(request.principal, request.params.id)
        return retryHookEvent(delivery, request.body?.force ?? false, attemptNow)
      }),
    )
  }

const listSchema = {
  tags,
  summary: 'List what was delivered',
  operationId: 'listHookEvents',
  querystring: HookEventQuery,
  response: { ...errorResponses, 200: Type.Array(HookEventRecord) },
} as const
const getSchema = {
  tags,
  summary: 'Get a delivery with its attempts',
  operationId: 'getHookEvent',
  params: IdParams,
  response: { ...errorResponses, 200: HookEventDetail },
} as const
const retrySchema = {
  tags,
  summary: 'Try a delivery again, at once',
  description: '406 while a retry is still due, or when it was delivered; `force` tries all the same.',
  operationId: 'retryHookEvent',
  params: IdParams,
  body: OptionalBody({ force: Type.Optional(Type.Boolean()) }, [{ force: true }]),
  response: {
    ...errorResponses,
    200: Described('The receiver took it.', RetryResult),
    406: Described('It was not sent, or the receiver did not take it.', RetryResult),
  },
} as const
