import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { countedOutcomes, readHistogram, type OutcomeCounts } from '#delivery/log/delivery-histogram.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { dayMs } from '#platform/clock.ts'
import { invalidField } from '#platform/errors.ts'
import { Timestamp } from '#platform/http/schemas.ts'
import { reading, route, visibleTo } from '../hook-surface.ts'
import { hookIdsOf } from '../hooks-store.ts'
import { deliveryFilterOf, hookEventFilters } from './hook-event-filter.ts'

type Deps = Pick<Surface, 'db' | 'clock'> & {
  /** `/whisperer` unless configured otherwise. */
  readonly root: string
  readonly installationId: string
}

/** How many deliveries there were over a time, by what has become of them. */
export const histogramRoutes =
  ({ db, clock, root, installationId }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${root}/hook_events/histogram`, histogram, async ({ query: { buckets: count, ...query }, principal }) => {
      const filter = deliveryFilterOf(query, await hookIdsOf(db, visibleTo(principal)), installationId)
      const to = filter.createdBefore ?? clock.now()
      const from = filter.createdFrom ?? new Date(to.getTime() - dayMs)
      if (from >= to) throw invalidField('created_date__gte', 'Expected a time before the end of the range.')
      const bucketMs = Math.ceil((to.getTime() - from.getTime()) / count)
      const { buckets, total, isExact } = await readHistogram(db, filter, { from, to, bucketMs })
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        bucket_seconds: bucketMs / 1_000,
        buckets: buckets.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
        total,
        is_exact: isExact,
      }
    })
  }

const Count = Type.Integer({ minimum: 0 })
const counts = Object.fromEntries(
  countedOutcomes.map((outcome) => [
    outcome,
    outcome === 'retrying' ? { ...Count, description: 'Those of `pending` that were tried before.' } : Count,
  ]),
) as Record<keyof OutcomeCounts, typeof Count>

const Histogram = Type.Object(
  {
    from: Timestamp,
    to: { ...Timestamp, description: 'Not in the range itself.' },
    bucket_seconds: Type.Number({ description: 'The last bucket can be shorter: it ends with the range.' }),
    buckets: Type.Array(
      Type.Object(
        { at: { ...Timestamp, description: 'When the bucket begins.' }, ...counts },
        {
          title: 'HookEventBucket',
          description: 'Deliveries that were made in this part of the range, by their status now.',
        },
      ),
      { description: 'The oldest first; those without deliveries too.' },
    ),
    total: Type.Object(counts, { title: 'HookEventTotal', description: 'The sums of the buckets.' }),
    is_exact: Type.Boolean({
      description: 'false when so many match that the counts are estimated from a part of them.',
    }),
  },
  { title: 'HookEventHistogram', description: 'How many deliveries there were over a time.' },
)

const histogram = route(
  reading(
    'getHookEventHistogram',
    'Count what was delivered over a time',
    'The deliveries that the filters of the list leave, by when they were made and by their status now. Without times: the last 24 hours. ' +
      'More than 30,000 are estimated from a part of them.',
  ),
  {
    querystring: Type.Object({
      ...hookEventFilters,
      buckets: Type.Integer({
        minimum: 10,
        maximum: 120,
        default: 72,
        description: 'Into how many parts the range is cut; fewer where they would be shorter than a millisecond.',
      }),
    }),
    response: { 200: Histogram },
  },
)
