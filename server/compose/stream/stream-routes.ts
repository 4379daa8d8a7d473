import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Engine } from '#delivery/engine.ts'
import type { Db } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { EventStreams, type Limits } from '#platform/http/event-streams/event-streams.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { makeGauge } from '#platform/telemetry.ts'
import type { Audience } from './audience.ts'
import { topics, type Topic } from './changes.ts'
import { makeLiveChanges } from './live-changes.ts'
import { membershipsOf } from './tail-store.ts'
import { makeChecks, Watcher } from './watchers.ts'

export interface StreamRoutesDeps {
  readonly db: Db
  readonly log: Logger
  readonly registry: Registry
  readonly engine: Pick<Engine, 'onWake' | 'listenToWritten'>
  readonly limits?: Limits
}

/** What changes, as it happens, for whoever shows it. */
export const streamRoutes =
  ({ db, log, registry, engine, limits }: StreamRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = new EventStreams<Audience>(limits)
    const checking = { db, log, streams, admitAgain: app.admitAgain }
    const live = makeLiveChanges({ db, log, engine, streams, makeChecks: () => makeChecks(checking) })
    makeGauge(registry, {
      name: 'waybill_streams',
      help: 'Open streams of live changes.',
      collect: (gauge) => gauge.set(streams.size),
    })
    // Before the server waits for the answers that are under way, which a stream is for ever.
    app.addHook('preClose', async () => {
      streams.endAll()
      await live.stop()
    })

    app.get('/api/v1/stream', { ...options, exposeHeadRoute: false }, async (request, reply) => {
      const wanted = topicsOf(request.query.topics)
      const lastId = request.headers['last-event-id'] ?? request.query.last_event_id
      streams.requireRoom(request)
      await live.start()
      try {
        const memberships = await membershipsOf(db, [request.principal.userId])
        const watcher = new Watcher(request, reply, wanted, memberships)
        streams.open(watcher, lastId, live.release)
        // It was given up meanwhile.
        if (request.raw.destroyed) reply.raw.destroy()
      } catch (error) {
        live.release()
        throw error
      }
      return reply
    })
  }

const topicsOf = (sent: readonly string[] | undefined): readonly Topic[] => {
  if (sent === undefined) return topics
  const names = sent.flatMap((text) => text.split(',')).map((name) => name.trim())
  const wanted = topics.filter((topic) => names.includes(topic))
  if (wanted.length === new Set(names).size) return wanted
  throw invalidField('topics', `Expected some of ${topics.join(', ')}.`)
}

const operation = operationsFor({ access: { role: 'user', scope: 'any' }, also: [429] })
const route = makeRouteOptions('Live changes', errorResponses)

const description =
  `Server-sent events (\`text/event-stream\`, WHATWG HTML section 9.2) for whoever shows what is here: what changed, not what
it is now. \`event\` is the topic, \`data\` an object of \`topic\` and \`items\`, the oldest change first. \`ready\`: what is committed from now on will
be sent, so read what you show after it. \`reset\`: something may have been missed, so read it again. \`is_cut\` says that more changed at once
than the message has. Items are of what the caller may read; what their credential may do is looked at every few seconds,
and the stream ends when that has changed. docs/live-changes.md says what each topic has.`.replaceAll('\n', ' ')

const options = route(operation('streamChanges', 'Watch what changes', description), {
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The message that was read last: what came after it is sent first. Browsers send it.',
      }),
    ),
  }),
  querystring: Type.Object({
    topics: Type.Optional(
      Type.Unsafe<string[]>(
        Type.Array(Type.String({ maxLength: 200 }), {
          description: `May be repeated, or joined with commas: ${topics.join(', ')}. Default: all.`,
        }),
      ),
    ),
    last_event_id: Type.Optional(
      Type.String({ maxLength: 100, description: 'The same as the header `Last-Event-ID`, for a first request.' }),
    ),
  }),
  response: {
    200: {
      description: 'The stream, which ends only when the client, the server or the loss of rights ends it.',
      content: { 'text/event-stream': { schema: Type.String({ examples: [example()] }) } },
    },
  },
})

function example(): string {
  return 'id: 5f0c3a7d2e64-7\nevent: mail\ndata: {"topic":"mail","items":[{"id":31,"purpose":"invite","status":"sent"}]}\n\n'
}
