import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { errorResponses, Nullable, OneOf, ShownTarget, Timestamp } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { mapRows, pageOf, type Rows } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { readCounts, readStates, type HealthReport } from '../health/health-report.ts'
import type { HealthState } from '../health/health.ts'
import { readRecentActivity, shownHours, type RecentActivity } from '../log/subscription-activity.ts'
import type { Subscription } from '../subscriber/subscription.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import { ownerKinds, type FindOwned, type OwnedSubscription } from './owned-subscription.ts'

export interface SubscriptionListDeps extends Pick<SliceDeps, 'db' | 'clock' | 'baseUrl'> {
  readonly subscriptions: Pick<Subscriptions, 'findAll'>
  /** Of each kind what the caller may see. */
  readonly owners: readonly FindOwned[]
}

/** One subscription with whose it is, its settings and its health. */
interface Seen extends OwnedSubscription, HealthState {
  readonly settings: Subscription
}

interface Shown extends Omit<Seen, 'failures'> {
  readonly counts: HealthReport['counts']
  readonly recent: RecentActivity
}

/**
 * Every subscription that the caller may see, of whatever kind, the newest first. Where they go to is encrypted, so the page is made
 * in memory: of owners, of states and settings, and of the counts and hours of those on the page, in one statement each.
 */
export const subscriptionListRoutes =
  ({ db, clock, baseUrl, subscriptions, owners }: SubscriptionListDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const see = async (owned: readonly OwnedSubscription[]): Promise<Seen[]> => {
      const ids = owned.map(({ subscriptionId }) => subscriptionId)
      const [states, settings] = [await readStates(db, ids), await subscriptions.findAll(db, ids)]
      return owned.flatMap((owner) => {
        const [state, own] = [states.get(owner.subscriptionId), settings.get(owner.subscriptionId)]
        // Removed since its owner was read.
        return state === undefined || own === undefined ? [] : { ...owner, ...state, settings: own }
      })
    }
    app.get('/api/v1/subscriptions', list, async ({ query, principal }, reply) => {
      const found = await Promise.all(owners.map((findOwned) => findOwned(db, principal)))
      const seen = (await see(found.flat().filter(({ kind }) => query.kind === undefined || kind === query.kind)))
        .filter((one) => fits(one, query))
        .toSorted((one, other) => other.subscriptionId - one.subscriptionId)
      const page = pageOf(seen, query)
      const ids = page.rows.map(({ subscriptionId }) => subscriptionId)
      const now = clock.now()
      const [counts, recent] = [await readCounts(db, ids, now), await readRecentActivity(db, ids, now)]
      const shown: Rows<Shown> = mapRows(page, (one) => ({
        ...one,
        counts: counts.get(one.subscriptionId) ?? { pending: 0, waiting: 0, held: 0, failed24h: 0 },
        recent: recent.get(one.subscriptionId) ?? { hours: [], isExact: true },
      }))
      return sendList(reply, baseUrl(), shown, toWire)
    })
  }

const healthStates = ['healthy', 'failing', 'disabled', 'probing'] as const
const health = OneOf(healthStates)
const subscriptionList = defineList({
  parameters: {
    kind: Type.Optional(OneOf(ownerKinds, { description: 'What it is.' })),
    health: Type.Optional(OneOf(healthStates, { description: 'How its receiver is doing.' })),
    is_active: Type.Optional(Type.Boolean({ description: 'true: only those that are on; false: only the others.' })),
    q: Type.Optional(
      Type.String({
        description: 'Part of the name, of the host that it goes to, or of an event; case makes no difference.',
      }),
    ),
  },
})
type Query = Static<typeof subscriptionList.querystring>

const fits = (one: Seen, { health: wanted, is_active: isActive, q }: Query): boolean =>
  (wanted === undefined || one.health === wanted) &&
  (isActive === undefined || one.isActive === isActive) &&
  (q === undefined || wordsOf(one).some((word) => word.toLowerCase().includes(q.toLowerCase())))

const wordsOf = ({ name, settings: { url, eventTypes } }: Seen): readonly string[] => [
  name ?? '',
  URL.parse(url)?.host ?? '',
  ...eventTypes,
]

const Place = Type.Object({ id: Type.String(), name: Type.String() })
const Count = Type.Integer({ minimum: 0 })

const SubscriptionRecord = Type.Object(
  {
    kind: OneOf(ownerKinds),
    id: Type.String({ description: 'The id that its own part of the API has for it.', examples: ['7'] }),
    name: Nullable(Type.String({ description: 'null of hooks, which have none.' })),
    target_url: ShownTarget,
    event_types: Type.Array(Type.String(), { description: 'Names and patterns; none of flows.' }),
    is_active: Type.Boolean(),
    health: { ...health, description: 'As the health of the receiver has it.' },
    disabled_reason: Nullable(
      Type.String({ description: 'failing, gone: the server switched it off. Otherwise somebody did.' }),
    ),
    failing_since: Nullable(Timestamp),
    pending: Type.Integer({
      minimum: 0,
      description: 'Deliveries that are due, now or later; all counts end at 10,000.',
    }),
    waiting: Type.Integer({ minimum: 0, description: 'With order: deliveries behind another about the same object.' }),
    held: Type.Integer({ minimum: 0, description: 'Deliveries that are kept until it is switched on, or recovered.' }),
    failed_24h: Type.Integer({ minimum: 0, description: 'Deliveries that failed for good in the last 24 hours.' }),
    organization: Nullable({ ...Place, description: 'Of a project webhook.' }),
    project: Nullable({ ...Place, description: 'Of a project webhook.' }),
    activity: Type.Array(Type.Object({ delivered: Count, failed: Count }), {
      minItems: shownHours,
      maxItems: shownHours,
      description: 'The last 24 hours, the oldest first: what has become of the deliveries made in each.',
    }),
    activity_is_exact: Type.Boolean({
      description: 'false when an hour had 500 deliveries or more, so that it is estimated from its first 500.',
    }),
  },
  { title: 'Subscription', description: 'What gets deliveries, of whatever kind, and how it is doing.' },
)

const toWire = makeToWire<Shown, typeof SubscriptionRecord>(SubscriptionRecord, {
  target_url: ({ settings }) => settings.url,
  event_types: ({ settings }) => [...settings.eventTypes],
  organization: ({ organization }) => organization,
  project: ({ project }) => project,
  pending: ({ counts }) => counts.pending,
  waiting: ({ counts }) => counts.waiting,
  held: ({ counts }) => counts.held,
  failed_24h: ({ counts }) => counts.failed24h,
  activity: ({ recent }) => [...recent.hours],
  activity_is_exact: ({ recent }) => recent.isExact,
})

const list = makeRouteOptions('Subscriptions', errorResponses)(
  operationsFor({ access: { role: 'staff', scope: 'any' } })(
    'listSubscriptions',
    'List what gets deliveries',
    'Hooks, webhooks of projects and outbound flows in one list, the newest first: hooks of the caller (superusers: all), webhooks of the ' +
      'projects whose member the caller is, and all flows. A limited key sees the kinds that its scopes are for.',
  ),
  { querystring: subscriptionList.querystring, response: { 200: Type.Array(SubscriptionRecord) } },
)
