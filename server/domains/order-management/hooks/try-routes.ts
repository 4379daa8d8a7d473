import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { maxLookedAt, maxTried, tryFilter, type TriedEvent } from '#delivery/explain/try-filter.ts'
import type { Db } from '#platform/db/database.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Body, CheckedElsewhere, IdOf, Nullable, Timestamp } from '#platform/http/schemas.ts'
import type { EventTypes } from '../event-types/index.ts'
import { eventType } from './hook-schemas.ts'
import { reading, route } from './hook-surface.ts'
import { openEvents } from './log/open-events-store.ts'
import { SentFilter } from './settings/config-schemas.ts'
import { readTriedInput, type InputRules } from './settings/hook-input.ts'

interface Deps extends Pick<InputRules, 'registryPath'> {
  readonly db: Db
  readonly eventTypes: Pick<EventTypes, 'read'>
  /** `/whisperer/hooks` unless configured otherwise. */
  readonly collection: string
}

/** Events that are shown of those that match, and of those that do not. */
const maxShown = 20

/** Tries the events and the filter of a hook before there is one. Nothing is stored or sent. */
export const tryRoutes =
  ({ db, eventTypes, registryPath, collection }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(`${collection}/try`, tryHook, async ({ body, principal }) => {
      const ownTypes = [...(await eventTypes.read(db)).keys()]
      const wanted = readTriedInput(body, { registryPath, ownTypes })
      const tried = await tryFilter(db, { ...wanted, scope: 'back-office', open: openEvents(principal) })
      const matched = tried.filter(({ isMatch }) => isMatch)
      const others = tried.filter(({ isMatch }) => !isMatch)
      const shown = [...matched.slice(0, maxShown), ...others.slice(0, maxShown)]
      return {
        tried: tried.length,
        matched: matched.length,
        events: shown.toSorted((one, other) => other.event - one.event).map((event) => toWire(event)),
      }
    })
  }

const TriedRecord = Type.Object(
  {
    event: IdOf('Id of the event.'),
    event_type: Type.String(),
    object_type: Nullable(Type.String()),
    object_id: Nullable(Type.String()),
    occurred_at: Timestamp,
    is_match: Type.Boolean({ description: 'Whether the hook would get it.' }),
    unmet_conditions: Type.Array(Type.String(), { description: 'Paths of the filter whose conditions do not hold.' }),
  },
  { title: 'TriedEvent', description: 'An event of the past, and whether a hook would have got it.' },
)
const toWire = makeToWire<TriedEvent, typeof TriedRecord>(TriedRecord, {
  event: 'event',
  unmet_conditions: ({ unmetConditions }) => [...(unmetConditions ?? [])],
})

const tryHook = route(
  reading(
    'tryHook',
    'Try events and a filter before subscribing',
    `Which of the newest events a hook would get: up to ${maxTried} of these types among the last ${maxLookedAt.toLocaleString('en')}, ` +
      'judged as deliveries are. Nothing is stored or sent. Events about webhooks are tried for superusers alone. ' +
      'For a limited key also the scope counts that reads what an event is about: `quotations:read`, else `order-management:read`.',
  ),
  {
    body: Body(
      {
        event_type: eventType,
        filter: Type.Optional(
          CheckedElsewhere(
            Type.Unknown({ description: 'As config.filter of a hook; null is none.' }),
            Nullable(SentFilter),
          ),
        ),
      },
      [],
      {
        title: 'HookTrial',
        description: 'What a hook would be subscribed to.',
        examples: [{ event_type: 'package.*', filter: { status: ['packed', 'shipped'] } }],
      },
    ),
    response: {
      200: Type.Object(
        {
          tried: Type.Integer({ minimum: 0, description: 'Events of these types that were tried.' }),
          matched: Type.Integer({ minimum: 0, description: 'Those of them that the hook would get.' }),
          events: Type.Array(TriedRecord, {
            description: `The newest first: at most ${maxShown} that match and ${maxShown} that do not.`,
          }),
        },
        { title: 'HookTrialResult', description: 'What of the past a hook would have got.' },
      ),
    },
  },
)
