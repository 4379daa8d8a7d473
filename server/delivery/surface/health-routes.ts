import { orNotFound } from '#platform/errors.ts'
import type { FastifyPluginAsync } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { Operation } from '#platform/http/route-options.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { maxCounted, readHealth, type HealthReport } from '../health/health-report.ts'
import { makeShape, type Naming, type ShownFields } from './shape.ts'
import type { Surface } from './surface.ts'

/** How a receiver is doing, as answers show it. */
interface HealthView extends Omit<HealthReport, 'counts' | 'probeAt'>, Readonly<HealthReport['counts']> {
  readonly nextProbeAt: Date | null
  /** Counts that reached what is counted at most, by their names on the wire. */
  readonly capped: readonly string[]
}

const countNames = ['pending', 'waiting', 'held', 'failed24h'] as const

/** How the receiver of a subscription is doing. */
export const healthRoutes = (
  { db, clock, naming, path, params, route, owner }: Surface,
  { operation, title }: { readonly operation: Operation; readonly title: string },
): FastifyPluginAsync => {
  const shape = makeShape<HealthView>(naming, fieldsOf(naming), { title, description: 'How a receiver is doing.' })
  const options = route(operation, { params, response: { 200: shape.schema } })
  return async (app) => {
    app.get(`${path}/health`, options, async (request) => {
      const report = orNotFound(await readHealth(db, await owner(request).find(db), clock.now()))
      return shape.toRecord(healthView(report, naming))
    })
  }
}

const healthView = ({ counts, probeAt, ...state }: HealthReport, naming: Naming): HealthView => ({
  ...state,
  ...counts,
  nextProbeAt: probeAt,
  capped: countNames.filter((name) => counts[name] >= maxCounted).map(naming),
})

const time = (description: string): TSchema => Nullable(Type.String({ ...Timestamp, description }))

const fieldsOf = (naming: Naming) =>
  ({
    health: OneOf(['healthy', 'failing', 'disabled', 'probing'], {
      description:
        'failing: one delivery at a time, with pauses. disabled: the server switched it off; nothing is sent but, now and then, a ' +
        'probe. probing: one is under way.',
    }),
    isActive: Type.Boolean(),
    disabledReason: Nullable(
      Type.String({
        description:
          'failing: nothing was accepted for days, and it is tried again at the next probe. gone: it answered 410, and ' +
          'stays off until somebody switches it on. Otherwise somebody switched it off.',
        examples: ['failing', 'gone'],
      }),
    ),
    disabledAt: time('When the server switched it off.'),
    failures: Type.Integer({ description: 'In a row, over all deliveries.' }),
    failingSince: Nullable(Timestamp),
    lastSuccessAt: Nullable(Timestamp),
    lastFailureAt: Nullable(Timestamp),
    nextProbeAt: Nullable(Timestamp),
    pausedUntil: time('Nothing is sent before: a pause between attempts while it is failing.'),
    holdUntil: time('Nothing is sent before: the receiver asked for it with Retry-After.'),
    orderingSince: time(
      'Nothing is sent until what was open when order was switched on has been put in order; null otherwise.',
    ),
    pending: Type.Integer({ description: 'Deliveries that are due, now or later.' }),
    waiting: Type.Integer({
      description: 'With order: deliveries behind another about the same object, those that are held too.',
    }),
    held: Type.Integer({ description: 'Deliveries that are kept until it is switched on, or recovered.' }),
    failed24h: Type.Integer({ description: 'Deliveries that failed for good in the last 24 hours.' }),
    capped: Type.Array(OneOf(countNames.map(naming)), {
      description: 'Counts that reached 10,000, so that there may be more.',
    }),
  }) as const satisfies ShownFields<HealthView>
