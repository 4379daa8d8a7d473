import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { catalogue, type BackOfficeEventType } from '#events/catalogue.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { Id, IdParams, OptionalBody, WithHeaders } from '#platform/http/schemas.ts'
import { changing, route } from './hook-surface.ts'
import { canonicalEventName, type EventTypes, type KnownTypes } from '../event-types/index.ts'
import { typesOf } from './settings/event-name.ts'

interface PingDeps extends Surface {
  readonly baseUrl: () => string
  /** `/whisperer` unless configured otherwise. */
  readonly root: string
  readonly installationId: string
  readonly outbox: Pick<Outbox, 'send'>
  readonly eventTypes: Pick<EventTypes, 'read'>
}

/** Delivers the example of one of its events to a hook, marked as a test (contract, section 4). */
export const pingRoutes =
  (deps: PingDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { write, baseUrl, root, installationId, outbox, subscriptions } = deps

    app.post(`${deps.path}/ping`, ping, (request, reply) =>
      write(request, reply, async (tx) => {
        const id = await deps.owner(request).find(tx)
        const { eventTypes, scope, isActive } = orNotFound(await subscriptions.find(tx, id))
        const ownTypes = await deps.eventTypes.read(tx)
        const { type, data } = pingedEvent(eventTypes, request.body?.event_type, ownTypes)
        // About the hook itself: the numbers of an object's events leave no gap for a test.
        const object = { type: 'webhook', id } as const
        const sent = isActive ? await outbox.send(tx, id, { type, scope, object, data, isTest: true }) : undefined
        if (sent === undefined) throw invalidField('is_active', notActive)
        const body: Static<typeof Pinged> = { hook_event: sent, uuid: webhookIdOf(sent, installationId) }
        return { status: 202, body, headers: { location: `${baseUrl()}${root}/hook_events/${sent}/` } }
      }),
    )
  }

const notActive = 'The hook is not active, so nothing would be sent: PATCH it with {"is_active": true} first.'

/** The event that is asked for, else the first that the hook hears, and its example. @throws AppError 400 for one that it does not hear. */
const pingedEvent = (heard: readonly string[], asked: string | undefined, ownTypes: KnownTypes) => {
  const types = typesOf(heard, [...ownTypes.keys()])
  const type = asked === undefined ? types[0] : types.find((name) => name === canonicalEventName(asked))
  if (type === undefined)
    throw invalidField('event_type', `The hook does not hear this event. It hears ${heard.join(', ')}.`)
  const data = ownTypes.has(type) ? (ownTypes.get(type)?.example ?? {}) : catalogue[type as BackOfficeEventType].example
  return { type, data }
}

const Pinged = Type.Object(
  { hook_event: Id, uuid: Type.String({ description: 'The webhook-id that every attempt carries.' }) },
  { title: 'PingedHook', description: 'The delivery that carries the test.' },
)
const ping = route(
  changing(
    'pingHook',
    'Send a test to a hook',
    'The example of one of its events, to this hook alone, with `x-waybill-test: true`. 400 when the hook is not active. The body can be left out.',
  ),
  {
    params: IdParams,
    body: OptionalBody(
      { event_type: Type.Optional(Type.String({ description: 'Which of its events. Default: the first.' })) },
      { title: 'PingHook', description: 'What a hook is tested with.', examples: [{ event_type: 'package.created' }] },
    ),
    response: { 202: WithHeaders(Pinged, 'Location') },
  },
)
