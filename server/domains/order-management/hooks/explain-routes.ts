import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findDelivery } from '#delivery/log/delivery-log.ts'
import { explainDelivery, explainEvent, findEventIds } from '#delivery/explain/explain.ts'
import { readHealth } from '#delivery/health/health-report.ts'
import { HealthRecord, toHealthRecord } from '#delivery/records/health-record.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidFields, notFound } from '#platform/errors.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import { canonicalEventName } from './event-name.ts'
import { toExplanationRecord } from './explanation-record.ts'
import { ExplainQuery, ExplanationRecord } from './explanation-schemas.ts'
import { contentTypeName } from './hook-event-record.ts'
import { findHook, hookIdsOf } from './hooks-store.ts'
import { visibleTo } from './manage-hooks.ts'

export interface ExplainRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  /** `/whisperer` unless configured otherwise. */
  readonly servicePath: string
}

const read = { access: { role: 'staff', scope: 'hooks:read' } } as const
const tags = ['Order-management hooks']

/** Events of an object that one answer explains. */
const mostEvents = 20

/** Why something was delivered or not, and how a hook's receiver is doing. */
export const explainRoutes =
  ({ db, clock, servicePath }: ExplainRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${servicePath}/hook_events/:id/explain`, { schema: eventSchema, config: read }, async (request) => {
      const { principal, params } = request
      const delivery = await findDelivery(db, params.id, await hookIdsOf(db, visibleTo(principal)))
      const explanation = delivery && (await explainDelivery(db, delivery.id, clock.now()))
      if (delivery === undefined || explanation === undefined) throw notFound()
      const { eventId, eventType, occurredAt, id: deliveryId, subscriptionId } = delivery
      return toExplanationRecord({ eventId, eventType, occurredAt, deliveryId, explanation }, subscriptionId)
    })

    app.get(`${servicePath}/hooks/:id/explain`, { schema: hookSchema, config: read }, async (request) => {
      const { principal, params, query } = request
      const wanted = wantedOf(query)
      // Removed hooks too: what they got, and what they did not, can still be asked.
      if (!(await hookIdsOf(db, visibleTo(principal))).includes(params.id)) throw notFound()
      const events = typeof wanted === 'number' ? [wanted] : await findEventIds(db, wanted, mostEvents)
      const records: ExplanationRecord[] = []
      for (const event of events) {
        const explained = await explainEvent(db, event, params.id, clock.now())
        if (explained !== undefined && mayKnow(explained)) records.push(toExplanationRecord(explained, params.id))
      }
      return records
    })

    app.get(`${servicePath}/hooks/:id/health`, { schema: healthSchema, config: read }, async (request) => {
      const hook = await findHook(db, visibleTo(request.principal), request.params.id)
      const report = hook && (await readHealth(db, hook.id, clock.now()))
      if (report === undefined) throw notFound()
      return toHealthRecord(report)
    })
  }

/** How a webhook of somebody else is doing is only for those who have subscribed to it. */
const mayKnow = ({ eventType, deliveryId }: { eventType: string | null; deliveryId: number | null }): boolean =>
  deliveryId !== null || eventType?.startsWith('webhook.') !== true

/** @throws AppError 400 unless one event is named, or the object of some. */
const wantedOf = ({ event, content_type: contentType, object_id: objectId, event_type: eventType }: ExplainQuery) => {
  if (event !== undefined && contentType === undefined && objectId === undefined && eventType === undefined)
    return event
  if (event !== undefined) throw invalidFields({ event: ['Name either an event, or an object and its events.'] })
  const missing = ['This field is required, unless an event is named.']
  if (contentType === undefined || objectId === undefined)
    throw invalidFields({
      ...(contentType === undefined ? { content_type: missing } : {}),
      ...(objectId === undefined ? { object_id: missing } : {}),
    })
  return {
    // What names nothing must match nothing: no object has an empty type.
    objectType: contentTypeName(contentType) ?? '',
    objectId,
    eventType: eventType === undefined ? undefined : canonicalEventName(eventType.toLowerCase()),
  }
}

const eventSchema = {
  tags,
  summary: 'Say why a delivery did or did not arrive',
  operationId: 'explainHookEvent',
  params: IdParams,
  response: { ...errorResponses, 200: ExplanationRecord },
} as const
const hookSchema = {
  tags,
  summary: 'Say why a hook did or did not get an event',
  description:
    'Of one `event`, or of the 20 newest events of an object (`content_type` and `object_id`, and `event_type` if wanted), ' +
    'also where there is no delivery.',
  operationId: 'explainHook',
  params: IdParams,
  querystring: ExplainQuery,
  response: { ...errorResponses, 200: Type.Array(ExplanationRecord) },
} as const
const healthSchema = {
  tags,
  summary: 'Get how the receiver of a hook is doing',
  operationId: 'getHookHealth',
  params: IdParams,
  response: { ...errorResponses, 200: HealthRecord },
} as const
