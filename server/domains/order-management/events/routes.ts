import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { EventTypes } from '../event-types/index.ts'
import { acceptEvents, makeAcceptEvent } from './accept-events.ts'
import { makeReadEvents } from './read-events.ts'
import { maxEvents, raise } from './schemas.ts'

/** Events that a system of the caller's own raises, to be delivered like any other (contract, section 8). */
export const eventRoutes =
  ({
    db,
    clock,
    write,
    outbox,
    eventTypes,
  }: Pick<Dependencies, 'db' | 'clock' | 'write' | 'outbox'> & {
    readonly eventTypes: Pick<EventTypes, 'recent'>
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readEvents = makeReadEvents(db, eventTypes)
    const acceptEvent = makeAcceptEvent(db, outbox)

    // Before what is in them is looked at.
    const preValidation = async ({ body }: { body: unknown }) => refuseTooMany(body)
    app.post('/api/v1/events', { ...raise, preValidation }, async (request, reply) => {
      const { userId } = request.principal
      const read = await readEvents(request.body, { now: clock.now(), isStrict: request.query.strict })
      const events = read.map((event) => ({ ...event, userId }))
      const [only] = events
      // What is stored under an Idempotency-Key is stored together with its answer.
      if (only !== undefined && events.length === 1 && request.headers['idempotency-key'] === undefined)
        return reply.code(202).send(await acceptEvent(only))
      return write(request, reply, async (tx) => ({ status: 202, body: await acceptEvents(tx, outbox, events) }))
    })
  }

const refuseTooMany = (body: unknown): void => {
  if (!Array.isArray(body) || body.length <= maxEvents) return
  const max = maxEvents.toLocaleString('en')
  throw new AppError('too_many_events', 413, `Send at most ${max} events in one request; these are ${body.length}.`)
}
