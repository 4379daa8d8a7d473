import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type, type TOptional, type TProperties, type TSchema, type TUnsafe, type TString } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { orNotFound, type AppError } from '#platform/errors.ts'
import type { Answer, Perform } from '#platform/http/idempotency.ts'
import type { Operation, RouteOptions } from '#platform/http/route-options.ts'
import { OptionalBody } from '#platform/http/schemas.ts'
import { defineList, type ReadableList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { readTimeRanges, type Dates } from '#platform/lists/time-range.ts'
import type { DeliveryFilter } from '../log/delivery-filter.ts'
import { attemptsOf, findDelivery, listDeliveries, type Attempt, type Delivery } from '../log/delivery-log.ts'
import { makeFullCounts } from '../log/full-counts.ts'
import { explainDelivery } from '../explain/explain.ts'
import type { Explanation } from '../explain/explanation.ts'
import type { Redeliveries } from '../redelivery/redeliveries.ts'
import type { RetryOutcome } from '../redelivery/retry-delivery.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { deliveryIdOf, webhookIdPattern } from '../tables/webhook-id.ts'

/** What was delivered, as one surface shows it. */
export interface DeliveryLog<Query> {
  readonly route: RouteOptions
  /** Path of the log, and of one delivery in it, as the router knows them. */
  readonly path: string
  readonly params: TSchema | undefined
  readonly itemPath: string
  readonly itemParams: TSchema
  /** @throws AppError 400 for an id that is none. */
  readonly idOf: (request: FastifyRequest) => number
  /** Subscriptions whose deliveries the caller may see, removed ones included. @throws AppError 404. */
  readonly visible: (db: Db | Tx, request: FastifyRequest) => Promise<readonly number[]>
  readonly list: ReadableList & { readonly querystring: TUnsafe<Query> }
  /** @throws AppError 400 that names a filter which is not valid. */
  readonly filterOf: (query: Query, subscriptionIds: readonly number[]) => DeliveryFilter
  readonly record: TSchema
  readonly detail: TSchema
  readonly toRecords: (deliveries: readonly Delivery[], request: FastifyRequest) => Promise<readonly object[]>
  readonly toDetail: (record: object, delivery: Delivery, attempts: readonly Attempt[]) => object
  readonly operations: { readonly list: Operation; readonly get: Operation }
  readonly explain?: ExplainOptions
  readonly retry?: RetryNow | RetryByQueue
}

export interface ExplainOptions {
  readonly operation: Operation
  readonly schema: TSchema
  readonly toRecord: (delivery: Delivery, explanation: Explanation) => object
}

interface RetryOptions {
  readonly operation: Operation
  /** Description of `force`. */
  readonly force: string
  readonly response: Readonly<Record<number, TSchema>>
}

/** A retry that calls the receiver before it answers, and so cannot run inside a transaction. */
interface RetryNow extends RetryOptions {
  readonly perform: Perform
  readonly tryNow: (delivery: Delivery, force: boolean) => Promise<Answer>
}

/** A retry that puts the delivery in the queue, due at once. */
export interface RetryByQueue extends RetryOptions {
  readonly redeliveries: Pick<Redeliveries, 'retryOne'>
  /** Before it is queued. @throws AppError where nothing would be sent. */
  readonly check: (tx: Tx, delivery: Delivery, request: FastifyRequest) => Promise<void>
  /** Statuses of which another try is asked for without force. */
  readonly retried: readonly Delivery['status'][]
  readonly refusals: Readonly<Partial<Record<Exclude<RetryOutcome, 'queued'>, () => AppError>>>
  readonly toAnswer: (delivery: Delivery, request: FastifyRequest) => Answer
}

/** A log as a list: the newest first, counted up to a bound. @param parameters filters, which `filterOf` reads. */
export const deliveryList = <const P extends TProperties>(parameters: P, orderings: readonly string[] = []) =>
  defineList({
    key: 'deliveries.id',
    count: 'bounded',
    ...(orderings.length === 0
      ? {}
      : { orderings: Object.fromEntries(orderings.map((name) => [name, 'deliveries.id'])) }),
    defaultOrdering: `-${orderings[0] ?? 'id'}`,
    parameters,
  })

/** What those filters leave. @param path of the filters in the request, with a dot at its end. @throws AppError 400 that names one. */
export const createdBetween = (query: object, name: string, dates: Dates, path = '') => {
  const { from, before } = readTimeRanges({ ...query }, name, { dates, path })
  return { createdFrom: from, createdBefore: before }
}

type Compared<Name extends string> = Name | `${Name}__${'gt' | 'gte' | 'lt' | 'lte'}`

/** The filters of a log by when deliveries were made, which `createdBetween` reads. */
export const createdParameters = <const Name extends string>(name: Name, dates: Dates) =>
  defineList({ filters: { [name]: time('deliveries.id', 'Created', { dates }) } }).filterProperties as Record<
    Compared<Name>,
    TOptional<TString>
  >

/** The filter of a log by the `webhook-id` that the receiver got, which `idOfWebhookId` reads. */
export const webhookIdParameter = (description: string) =>
  Type.Optional(
    Type.String({ pattern: webhookIdPattern, description, examples: ['019aa5f2-8d40-7001-9b1e-5c0f3a7d2e64'] }),
  )

/** The delivery of a `webhook-id`: 0, which no delivery has, where this server never made it; undefined without a filter. */
export const idOfWebhookId = (webhookId: string | undefined, installationId: string): number | undefined =>
  webhookId === undefined ? undefined : (deliveryIdOf(webhookId, installationId) ?? 0)

/** The log of deliveries: a list, one with its attempts, why it is where it is, and another try. */
export const deliveryRoutes = <Query>(deps: SliceDeps, log: DeliveryLog<Query>): FastifyPluginAsync => {
  const { db, clock, write, baseUrl } = deps
  const { route, itemPath, itemParams: params, operations, visible, toRecords, explain, retry } = log
  const list = route(operations.list, {
    ...(log.params === undefined ? {} : { params: log.params }),
    querystring: log.list.querystring,
    response: { 200: Type.Array(log.record) },
  })
  const get = route(operations.get, { params, response: { 200: log.detail } })
  const find = async (tx: Db | Tx, request: FastifyRequest): Promise<Delivery> =>
    orNotFound(await findDelivery(tx, log.idOf(request), visible(tx, request)))

  const fullCounts = makeFullCounts(deps)
  return async (app) => {
    app.get(log.path, list, async (request, reply) => {
      // The schema of the query has checked all of it.
      const query = request.query as Query & Page
      const filter = log.filterOf(query, await visible(db, request))
      const { rows, ...found } = await listDeliveries(db, fullCounts.of(log.list, filter), filter, query)
      fullCounts.note(filter, found)
      return sendList(reply, baseUrl(), { ...found, rows: await toRecords(rows, request) })
    })

    app.get(itemPath, get, async (request) => {
      // Before anything is asked: an id that is none throws.
      const id = log.idOf(request)
      const [delivery, attempts] = await Promise.all([find(db, request), attemptsOf(db, id)])
      const [record] = await toRecords([delivery], request)
      return log.toDetail(orNotFound(record), delivery, attempts)
    })

    if (explain !== undefined) {
      const options = route(explain.operation, { params, response: { 200: explain.schema } })
      app.get(`${itemPath}/explain`, options, async (request) => {
        const delivery = await find(db, request)
        return explain.toRecord(delivery, orNotFound(await explainDelivery(db, delivery.id, clock.now())))
      })
    }

    if (retry !== undefined) {
      const body = OptionalBody(
        { force: Type.Optional(Type.Boolean({ description: retry.force })) },
        { examples: [{ force: true }] },
      )
      const options = route(retry.operation, { params, body, response: retry.response })
      app.post(`${itemPath}/retry`, options, async (request, reply) => {
        const { force = false } = (request.body ?? {}) as { readonly force?: boolean }
        if ('perform' in retry)
          return retry.perform(request, reply, async () => retry.tryNow(await find(db, request), force))
        return write(request, reply, async (tx) => {
          const delivery = await find(tx, request)
          await retry.check(tx, delivery, request)
          const isForced = force || retry.retried.includes(delivery.status)
          const outcome = await retry.redeliveries.retryOne(tx, delivery.id, { force: isForced }, clock.now())
          const refusal = outcome === 'queued' ? undefined : retry.refusals[outcome]
          if (refusal !== undefined) throw refusal()
          return retry.toAnswer(delivery, request)
        })
      })
    }
  }
}
