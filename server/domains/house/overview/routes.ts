import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Principal } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { FindNeeds } from '#platform/need.ts'
import { needKinds, Overview, type NeedKind } from './schemas.ts'

/** Deliveries of the last 24 hours. */
export interface Activity {
  readonly hours: readonly { readonly at: Date; readonly delivered: number; readonly failed: number }[]
  readonly isExact: boolean
  readonly pending: { readonly count: number; readonly isMore: boolean }
}

/** How far the installation has been set up. */
export interface SetupFacts {
  readonly hasSubscription: boolean
  readonly hasEvent: boolean
  readonly hasDeliveredEvent: boolean
  readonly hasStockLocation: boolean
  readonly hasSecondUser: boolean
}

/** What the domains know, as functions of theirs. */
export interface OverviewDeps {
  readonly db: Db
  readonly clock: Clock
  readonly needs: readonly FindNeeds<NeedKind>[]
  /** Undefined for somebody who may not see deliveries. */
  readonly activityOf: (principal: Principal) => Promise<Activity | undefined>
  readonly setup: () => Promise<SetupFacts>
}

const options = makeRouteOptions('Overview', errorResponses)(
  operationsFor({ access: { role: 'staff', scope: 'any' } })(
    'getOverview',
    'Show what needs somebody, and what goes on',
    'All of it with one request. Counts end at 10,000, so it takes as long with many records as with few.',
  ),
  { response: { 200: Overview } },
)

/** What the first page of the console shows. */
export const overviewRoutes =
  ({ db, clock, needs, activityOf, setup }: OverviewDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/overview', options, async ({ principal }) => {
      const now = clock.now()
      const [found, activity, facts] = await Promise.all([
        Promise.all(needs.map((find) => find(db, principal, now))),
        activityOf(principal),
        setup(),
      ])
      const inOrder = found.flat().toSorted((one, other) => needKinds.indexOf(one.kind) - needKinds.indexOf(other.kind))
      return {
        needs_you: inOrder.map(({ isMore, ...need }) => ({ ...need, is_more: isMore })),
        ...(activity && { deliveries_24h: toActivity(activity) }),
        setup: toSetup(facts),
      }
    })
  }

const toActivity = ({ hours, isExact, pending }: Activity) => ({
  hours: hours.map(({ at, delivered, failed }) => ({ at: at.toISOString(), delivered, failed })),
  is_exact: isExact,
  pending: { count: pending.count, is_more: pending.isMore },
})

const toSetup = (facts: SetupFacts) => ({
  has_subscription: facts.hasSubscription,
  has_event: facts.hasEvent,
  has_delivered_event: facts.hasDeliveredEvent,
  has_stock_location: facts.hasStockLocation,
  has_second_user: facts.hasSecondUser,
})
