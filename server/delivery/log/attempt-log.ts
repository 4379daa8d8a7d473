import { sql, type Selectable } from 'kysely'
import { Type } from 'typebox'
import { hourMs } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/database.ts'
import { readCursor } from '#platform/lists/cursor.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, quantity, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { attemptOutcomes, type AttemptOutcome } from '../tables/tables.ts'
import { firstIdOf } from '../tables/time-id.ts'

/** One attempt among those of a subscription. */
export interface LoggedAttempt
  extends
    Readonly<
      Pick<
        Selectable<Tables['attempts']>,
        'number' | 'startedAt' | 'durationMs' | 'outcome' | 'reason' | 'responseStatus' | 'nextAttemptAt'
      >
    >,
    Readonly<Pick<Selectable<Tables['deliveries']>, 'eventType'>> {
  readonly deliveryId: number
}

/** By how much clocks of servers and of the database differ at most: an attempt begins after its delivery was made. */
const clocksDifferMs = hourMs

/** Every attempt of one subscription: those of the newest delivery first, and of these the last one. */
export const attemptList = defineList({
  key: 'attempts.number',
  count: 'bounded',
  orderings: { hook_event: 'deliveries.id' },
  defaultOrdering: '-hook_event',
  filters: {
    hook_event: equals('deliveries.id', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    outcome: equals('attempts.outcome', Type.Unsafe<AttemptOutcome>({ type: 'string', enum: [...attemptOutcomes] })),
    response_http_status: quantity(
      'attempts.response_status',
      'HTTP status',
      Type.Integer({ minimum: 0, maximum: 999 }),
    ),
    started_at: time('attempts.started_at', 'Began', {
      dates: 'beginnings',
      condition: ({ from, before }) => {
        const conditions = [
          ...(from === undefined ? [] : [sql<boolean>`attempts.started_at >= ${from}`]),
          ...(before === undefined
            ? []
            : [
                sql<boolean>`attempts.started_at < ${before}`,
                sql<boolean>`deliveries.id < ${firstIdOf(new Date(before.getTime() + clocksDifferMs))}::bigint`,
              ]),
        ]
        return sql`(${sql.join(conditions, sql` and `)})`
      },
    }),
  },
})

export type AttemptQuery = Page & { readonly ordering?: string } & Readonly<Record<string, unknown>>

/** The comparisons by which a status leaves none that is success, which only 2xx is. */
const isFailure: Readonly<Record<string, (status: number) => boolean>> = {
  response_http_status: (status) => status < 200 || status >= 300,
  response_http_status__gt: (status) => status >= 299,
  response_http_status__gte: (status) => status >= 300,
  response_http_status__lt: (status) => status <= 200,
  response_http_status__lte: (status) => status < 200,
}

/** Whether the filters leave no attempt that arrived: indexes have all others. */
const leavesFailures = ({ outcome = 'delivered', ...query }: AttemptQuery): boolean =>
  outcome !== 'delivered' || Object.entries(isFailure).some(([name, fits]) => fits(Number(query[name])))

/**
 * A page of the attempts of a subscription. Deliveries are walked in the order of their index, and each joins its attempts:
 * 1,000,000 attempts take 3 s where few of them fit. Failures are looked up in indexes of their own, in milliseconds.
 */
export const listAttempts = async (
  db: Db,
  subscriptionId: number,
  query: AttemptQuery,
): Promise<Rows<LoggedAttempt>> => {
  const isOfFailures = leavesFailures(query)
  const matching = db
    .selectFrom('deliveries')
    .innerJoinLateral(
      (eb) => {
        const attempts = eb.selectFrom('attempts').selectAll().whereRef('deliveryId', '=', 'deliveries.id')
        if (isOfFailures) return attempts.where('outcome', '!=', sql.lit('delivered')).as('attempts')
        // With an offset it stays a look-up for each delivery: a merge with the attempts of all subscriptions would be far longer.
        return attempts.offset(sql.lit(0)).as('attempts')
      },
      (join) => join.onTrue(),
    )
    .select(['deliveries.id as deliveryId', 'deliveries.eventType', 'attempts.number', 'attempts.startedAt'])
    .select(['attempts.durationMs', 'attempts.outcome', 'attempts.reason', 'attempts.responseStatus'])
    .select('attempts.nextAttemptAt')
    .where(sql<boolean>`deliveries.subscription_id = ${subscriptionId}::bigint`)
  const { ordering = '-hook_event', cursor } = query
  if (cursor === undefined) return readList(db, attemptList, query, matching)
  // The position is a pair of columns of two tables, which no index finds; the first of the two it does.
  const from = readCursor(ordering, cursor).value
  const behind = ordering === 'hook_event' ? sql`>=` : sql`<=`
  return readList(db, attemptList, query, matching.where(sql<boolean>`deliveries.id ${behind} ${from}::bigint`))
}
