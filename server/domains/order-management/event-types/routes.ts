import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import { conflict, orNotFound, ruleBroken } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeUserQueue } from '#platform/http/user-queue.ts'
import { collectProblems } from '#platform/problems.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { reading, writing } from '../routes.ts'
import { canonicalEventName, nameProblem, type EventType, type EventTypeFields } from './event-type.ts'
import { checkExample, checkSchema } from './own-schema.ts'
import { EventTypeParams, EventTypePatch, EventTypeRecord, NewEventType, route } from './schemas.ts'
import {
  countEventTypes,
  deleteEventType,
  eventTypeList,
  findEventType,
  insertEventType,
  listEventTypes,
  lockEventType,
  lockEventTypes,
  updateEventType,
} from './store.ts'

/** All of them are kept in memory. */
const maxTypes = 1_000
/** Of schemas of one user; each can start a process. */
const maxWaitingChecks = 20

export interface EventTypeRoutesDeps extends SliceDeps {
  /** How many subscriptions listen to it by its name. */
  readonly listenersOf: (tx: Tx, name: string) => Promise<number>
  /** Called after the commit of a change. */
  readonly onChange: () => void
}

/** Events of one's own (contract, section 8). */
export const eventTypeRoutes =
  ({ listenersOf, onChange, ...deps }: EventTypeRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = deps
    const path = '/api/v1/event_types'
    const idOf = ({ params }: FastifyRequest) => canonicalEventName((params as { readonly name: string }).name)
    const one = { path: `${path}/:name`, params: EventTypeParams, idOf }
    const pathOf = ({ name }: EventType) => `${path}/${name}/`
    const begin = async (tx: Tx) => {
      await lockEventTypes(tx)
      afterCommit(tx, onChange)
    }

    const types = recordRoutes<EventType, string>(app, deps, {
      path,
      one,
      route,
      record: EventTypeRecord,
      toWire,
      pathOf,
    })
    const checkSentSchema = makeCheckSentSchema()
    app.addHook('preHandler', async (request) => {
      if (request.method !== 'POST' && request.method !== 'PATCH') return
      await checkSentSchema(request)
      await app.admitAgain(request)
    })
    types.list(operations.list, eventTypeList, listEventTypes)
    types.get(operations.get, findEventType)
    types.create(operations.create, NewEventType, async (tx, body) => {
      const name = canonicalEventName(body.name)
      const fields: EventTypeFields = { ...defaults, description: body.description, ...fromWire(body) }
      await begin(tx)
      const problems = collectProblems()
      problems.add(
        'name',
        nameProblem(name) ?? ((await findEventType(tx, name)) && 'There is an event type of this name.'),
      )
      checkExample({ name, ...fields }, problems)
      problems.throwIfAny()
      if ((await countEventTypes(tx)) >= maxTypes)
        throw ruleBroken('too_many_event_types', `There are at most ${maxTypes} event types.`)
      return insertEventType(tx, name, fields, clock.now())
    })
    types.update(operations.update, EventTypePatch, async (tx, name, body) => {
      await begin(tx)
      const before = orNotFound(await findEventType(tx, name))
      const { description, schema, example, isActive } = { ...before, ...fromWire(body) }
      const fields = { description, schema, example, isActive }
      const problems = collectProblems()
      if (body.schema !== undefined || body.example !== undefined) checkExample({ name, ...fields }, problems)
      problems.throwIfAny()
      return updateEventType(tx, name, fields, clock.now())
    })
    types.remove(operations.remove, async (tx, name) => {
      await begin(tx)
      orNotFound(await lockEventType(tx, name))
      const listeners = await listenersOf(tx, name)
      if (listeners > 0) throw used(listeners)
      await deleteEventType(tx, name)
    })
  }

/** Makes the check of the schema in a body, before a transaction is open. @throws AppError 400, and 429 when too many wait. */
const makeCheckSentSchema = () => {
  const userQueue = makeUserQueue(maxWaitingChecks)
  return async ({ body, principal: { userId } }: FastifyRequest): Promise<void> => {
    const { schema } = (body ?? {}) as Partial<Static<typeof EventTypePatch>>
    const problems = collectProblems()
    if (schema) await userQueue(userId, () => checkSchema(schema, problems))
    problems.throwIfAny()
  }
}

const defaults = { schema: null, example: null, isActive: true }

/** The fields that a body has, and only those. */
const fromWire = ({
  description,
  schema,
  example,
  is_active: isActive,
}: Static<typeof EventTypePatch>): Partial<EventTypeFields> => sentFields({ description, schema, example, isActive })

const toWire = makeToWire<EventType, typeof EventTypeRecord>(EventTypeRecord, {
  schema: ({ schema }) => schema,
  example: ({ example }) => example,
})

const used = (listeners: number) =>
  conflict(
    'event_type_used',
    `${listeners === 1 ? '1 hook names' : `${listeners} hooks name`} this event: change or remove ${listeners === 1 ? 'it' : 'them'} first, or switch the type off.`,
  )

const operations = {
  list: reading('listEventTypes', "List the types of events of one's own"),
  get: reading('getEventType', "Get a type of events of one's own"),
  create: writing(
    'createEventType',
    "Create a type of events of one's own",
    'It can be subscribed to, raised and pinged like the others, and stands in the registry and, with its schema and example, under webhooks of this description, which is public.',
  ),
  update: writing(
    'updateEventType',
    'Change an event type, or switch it off',
    'The name stays. Another schema counts for what is raised from now on, within a second on every process. null takes schema or example away.',
  ),
  remove: writing(
    'deleteEventType',
    'Delete an event type',
    'Refused while hooks name it; patterns are no obstacle. What was raised stays in the log.',
  ),
}
