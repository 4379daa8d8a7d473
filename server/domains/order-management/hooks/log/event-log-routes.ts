import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { explainEvent } from '#delivery/explain/explain.ts'
import { verdicts } from '#delivery/explain/explanation.ts'
import {
  findEvent,
  findReceivers,
  listEvents,
  makeEventList,
  type EventReceiver,
  type LoggedEvent,
} from '#delivery/log/event-log.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { canonicalEventName } from '../../event-types/index.ts'
import { reading, visibleTo } from '../hook-surface.ts'
import { liveHookIdsOf } from '../hooks-store.ts'
import { DeliveryState } from './hook-event-record.ts'
import { openEvents } from './open-events-store.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly baseUrl: () => string
}

/** Hooks of one event that are shown: with a delivery, and without one, of which each is explained. */
const maxShown = { delivered: 100, absent: 20 }

/** Events of the back office, whoever was told of them. */
export const eventLogRoutes =
  ({ db, clock, baseUrl }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readerOf = async (principal: Principal) => ({
      scope: 'back-office',
      subscriptionIds: await liveHookIdsOf(db, visibleTo(principal)),
      open: openEvents(principal),
      seesAll: principal.isSuperuser && principal.scopes === null,
    })
    const explained = async (event: number, receiver: EventReceiver): Promise<Static<typeof EventHook>> => {
      const { subscriptionId: hook, deliveryId, status } = receiver
      const shown = { hook, hook_event: deliveryId, status }
      const why = deliveryId === null ? await explainEvent(db, event, hook, clock.now()) : undefined
      if (why === undefined) return { ...shown, verdict: null, summary: null, unmet_conditions: [] }
      const { verdict, summary, unmetConditions } = why.explanation
      return { ...shown, verdict, summary, unmet_conditions: [...(unmetConditions ?? [])] }
    }

    app.get('/api/v1/events', list, async ({ query, principal }, reply) =>
      sendList(reply, baseUrl(), await listEvents(db, eventList, await readerOf(principal), query), toWire),
    )
    app.get('/api/v1/events/:id', get, async ({ params: { id }, principal }) => {
      const reader = await readerOf(principal)
      const event = orNotFound(await findEvent(db, reader, id))
      const { receivers, leftOut } = await findReceivers(db, id, reader.subscriptionIds, maxShown)
      const hooks: Static<typeof EventHook>[] = []
      for (const receiver of receivers) hooks.push(await explained(id, receiver))
      const { data } = JSON.parse(event.body) as { readonly data: unknown }
      return { ...toWire(event), data, hooks, hooks_left_out: leftOut }
    })
  }

const eventList = makeEventList((text) => canonicalEventName(text.toLowerCase()))

const EventRecord = Type.Object(
  {
    id: Id,
    type: Type.String(),
    object_type: Nullable(Type.String()),
    object_id: Nullable(Type.String()),
    sequence: Nullable(Type.Integer({ description: 'Its number among the events of its object.' })),
    occurred_at: Timestamp,
    is_test: Type.Boolean({ description: 'Sent by a ping, to one hook alone.' }),
    created_date: Timestamp,
  },
  { title: 'LoggedEvent', description: 'Something that happened.' },
)
const toWire = makeToWire<LoggedEvent, typeof EventRecord>(EventRecord, {})

const EventHook = Type.Object(
  {
    hook: Id,
    hook_event: Nullable(Type.Integer({ description: 'Id of the delivery; null where there is none.' })),
    status: Nullable(DeliveryState),
    verdict: Nullable(OneOf(verdicts, { description: 'Without a delivery: why there is none.' })),
    summary: Nullable(Type.String({ description: 'The same in a sentence.' })),
    unmet_conditions: Type.Array(Type.String(), { description: 'Paths of the filter whose conditions do not hold.' }),
  },
  { title: 'EventHook', description: 'What became of an event at one hook.' },
)
const EventDetail = Type.Object(
  {
    ...EventRecord.properties,
    data: Type.Unknown({ description: 'The object after the change.' }),
    hooks: Type.Array(EventHook, {
      description:
        'Hooks of the caller: those with a delivery first (at most 100), then up to 20 without one, first those that listen to the type.',
    }),
    hooks_left_out: Type.Integer({ minimum: 0, description: 'Hooks of the caller that are not shown.' }),
  },
  { title: 'LoggedEventDetail', description: 'Something that happened, and whom it was delivered to.' },
)

const route = makeRouteOptions('Events', errorResponses)
const list = route(
  reading(
    'listEvents',
    'List events',
    'Those of the back office, the newest first, whoever was told of them. What was sent to one hook alone, and how webhooks are doing, is shown to those ' +
      'who got it, and to superusers. A limited key also needs the scope that reads what an event is about: `quotations:read`, else ' +
      '`order-management:read`.',
  ),
  { querystring: eventList.querystring, response: { 200: Type.Array(EventRecord) } },
)
const get = route(
  reading(
    'getEvent',
    'Get an event',
    'With its data, and what became of it at each hook of the caller, or why it did not come there.',
  ),
  { params: IdParams, response: { 200: EventDetail } },
)
