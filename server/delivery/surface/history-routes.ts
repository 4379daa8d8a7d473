import type { FastifyPluginAsync } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { dayMs, hourMs } from '#platform/clock.ts'
import type { Operation } from '#platform/http/route-options.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { Page } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { healthHistory, listHealthChanges, recordedChanges, type RecordedChange } from '../health/health-history.ts'
import { readAttemptActivity, type AttemptCounts } from '../log/attempt-activity.ts'
import { makeShape, named, type Naming } from './shape.ts'
import type { Surface } from './surface.ts'

interface HistoryOptions {
  /** Changes of health, and activity over the last hours. */
  readonly operations: { readonly history: Operation; readonly activity: Operation }
  /** With which the names of the schemas begin. */
  readonly title: string
  readonly baseUrl: () => string
}

/** Hours of which activity is shown at most, and up to which it is shown by the hour. */
const maxHours = 168
const maxHourly = 48

/** What a subscription went through: changes of its health, and how deliveries to it went lately. */
export const historyRoutes = (
  { db, clock, naming, path, params, route, owner }: Surface,
  { operations, title, baseUrl }: HistoryOptions,
): FastifyPluginAsync => {
  const change = makeShape<RecordedChange>(naming, changeFields, {
    title: `${title}HealthChange`,
    description: 'A change of the health of a receiver, or of its switch.',
  })
  const { schema, toRecord } = activityShape(naming, title)
  const history = route(operations.history, {
    params,
    querystring: healthHistory.querystring,
    response: { 200: Type.Array(change.schema) },
  })
  const activity = route(operations.activity, { params, querystring: Hours, response: { 200: schema } })
  return async (app) => {
    app.get(`${path}/health/history`, history, async (request, reply) => {
      const id = await owner(request).find(db)
      return sendList(reply, baseUrl(), await listHealthChanges(db, id, request.query as Page), change.toRecord)
    })
    app.get(`${path}/activity`, activity, async (request) => {
      const id = await owner(request).findHistory(db)
      const { hours } = request.query as { readonly hours: number }
      // What was made in this millisecond belongs to it.
      const to = new Date(clock.now().getTime() + 1)
      const range = { from: new Date(to.getTime() - hours * hourMs), to, bucketMs: hours <= maxHourly ? hourMs : dayMs }
      return toRecord({ ...range, ...(await readAttemptActivity(db, id, range)) })
    })
  }
}

const changeFields = {
  at: Timestamp,
  change: OneOf(recordedChanges, {
    description: 'failing, disabled and recovered come of answers; switched_off and switched_on of people.',
  }),
  reason: Nullable(
    Type.String({ description: 'Of disabled and switched_off.', examples: ['failing', 'gone', 'switched off'] }),
  ),
  failures: Type.Integer({ minimum: 0, description: 'In a row, by then.' }),
  failingSince: Nullable(Timestamp),
}

const Hours = Type.Object({
  hours: Type.Integer({
    minimum: 1,
    maximum: maxHours,
    default: 24,
    description: `How far back. Up to ${maxHourly} by the hour, more by the day.`,
  }),
})

const Count = Type.Integer({ minimum: 0 })
const countFields: Readonly<Record<keyof AttemptCounts, TSchema>> = {
  delivered: { ...Count, description: 'Deliveries that arrived.' },
  failed: { ...Count, description: 'Deliveries that failed for good.' },
  attempts: { ...Count, description: 'Attempts of all deliveries.' },
  http2xx: Count,
  http3xx: Count,
  http4xx: Count,
  http5xx: Count,
  noAnswer: { ...Count, description: 'Attempts without an answer.' },
  p50Ms: Nullable(Type.Integer({ description: 'Half of the attempts took no longer; null without any.' })),
  p95Ms: Nullable(Type.Integer({ description: '95 of 100 attempts took no longer.' })),
}

const activityShape = (surfaceNaming: Naming, title: string) => {
  const naming: Naming = (field) => shortNames[surfaceNaming(field)] ?? surfaceNaming(field)
  const counts = named(naming, countFields)
  const bucket = makeShape<AttemptCounts & { at: Date }>(naming, { at: Timestamp, ...countFields })
  const total = makeShape<AttemptCounts>(naming, countFields)
  const schema = Type.Object(
    named(naming, {
      from: Timestamp,
      to: Timestamp,
      bucketSeconds: Type.Integer(),
      buckets: Type.Array(
        Type.Object(
          { at: Timestamp, ...counts },
          { title: `${title}ActivityPart`, description: 'Deliveries that were made in this part.' },
        ),
        { description: 'The oldest first; the last one can be shorter.' },
      ),
      total: Type.Object(counts, { title: `${title}ActivityTotal`, description: 'Of all parts.' }),
      isExact: Type.Boolean({
        description: 'false when a part had 500 deliveries or more, so that it is estimated from its first 500.',
      }),
    }),
    {
      title: `${title}Activity`,
      description: 'What has become of the deliveries of the last hours, and how their attempts went.',
    },
  )
  type Activity = Awaited<ReturnType<typeof readAttemptActivity>> & { from: Date; to: Date; bucketMs: number }
  const toRecord = ({ from, to, bucketMs, buckets, total: all, isExact }: Activity) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    [naming('bucketSeconds')]: bucketMs / 1_000,
    buckets: buckets.map(bucket.toRecord),
    total: total.toRecord(all),
    [naming('isExact')]: isExact,
  })
  return { schema, toRecord }
}

/** Names that `snakeCase` would cut elsewhere. */
const shortNames: Readonly<Record<string, string>> = { p_50ms: 'p50_ms', p_95ms: 'p95_ms' }
