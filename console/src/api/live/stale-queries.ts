import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api-error.ts'
import { liveState, onLive, onLiveState, onMissed, type LiveItems, type Topic } from '../live.ts'

const projectWebhooks = '/api/v1/organizations/{organizationId}/projects/{projectId}/settings/webhooks'
const overview = '/api/v1/overview'
const receiverPaths = {
  hook: ['/whisperer/hook_events', '/whisperer/hooks'],
  project_webhook: [projectWebhooks],
  flow: ['/api/nifi/flows'],
}
const subscriptions = '/api/v1/subscriptions'

/** Balances and ledger of a location, but not the list of locations, which others only take names from. */
const stock = '/api/v1/stock_locations/{id}'

/** To buyers also what is left of the limits of the month, and the orders that come of it. */
const quotationPaths = [
  '/api/v1/quotations',
  '/api/v1/my-quotations',
  '/api/v1/my-orders',
  '/api/v1/my-divisions',
  '/api/v1/basket',
]

/** Where what events are about is read. Packages and transfers take their shipment along, and book stock. */
const objectPaths: Readonly<Record<string, string | readonly string[]>> = {
  package: ['/api/v1/packages', '/api/v1/shipments', stock],
  shipment: ['/api/v1/shipments', '/api/v1/packages'],
  transfer: ['/api/v1/transfers', '/api/v1/shipments', stock],
  stocklocation: '/api/v1/stock_locations',
  quotation: quotationPaths,
  webhook: '/whisperer/hooks',
  deployment: '/api/v1/organizations/{organizationId}/projects/{projectId}/deployments',
  distribution: '/api/v1/organizations/{organizationId}/projects/{projectId}/distributions',
}

/** The one place that knows which answers of the API a change makes old: paths by topic; whatever is below them is meant too. */
const stalePaths: { readonly [T in Topic]: (item: LiveItems[T]) => readonly string[] } = {
  delivery: ({ receiver }) => [...receiverPaths[receiver.kind], subscriptions, overview],
  event: ({ object_type: about }) => ['/api/v1/events', objectPaths[about ?? ''] ?? []].flat(),
  subscription: ({ receiver }) => [...receiverPaths[receiver.kind], subscriptions, overview],
  error_report: () => ['/api/v1/error_reports', '/api/v1/error_report_groups', overview],
  redelivery: () => ['/whisperer/redeliveries'],
  export: () => ['/api/v1/exports'],
  quotation: () => [...quotationPaths, overview],
  order: () => ['/api/v1/orders', ...quotationPaths, overview],
  mail: () => ['/api/v1/mails', overview],
}
/** All that a stream that has just begun may have missed. */
const allPaths = [
  ...Object.values(receiverPaths).flat(),
  ...Object.values(objectPaths).flat(),
  subscriptions,
  overview,
  '/api/v1/events',
  '/api/v1/error_reports',
  '/api/v1/error_report_groups',
  '/whisperer/redeliveries',
  '/api/v1/exports',
  '/api/v1/orders',
  '/api/v1/mails',
]
const topics = Object.keys(stalePaths) as Topic[]

/** How long after it was read an answer is left alone; the overview counts over everything. */
const paceMs = (path: string): number => (path === overview ? 5_000 : 1_000)
/** What a page has read while it opened is read once more after so long. */
const firstMs = 2_000
/** Without a stream, lists are read again after so long, and then so often. */
const pollMs = 30_000

/**
 * Asks again for what is on the screen when the stream says that it is old; for everything when the stream may have missed
 * something; and every half minute while there is no stream. A query with `meta: { isLive: false }` is left alone: its
 * screen listens for itself.
 * @returns how to end it
 */
export const keepFresh = (queries: QueryClient): (() => void) => {
  const refresh = (isMeant: (query: Query) => boolean): Promise<void> =>
    queries.invalidateQueries({
      predicate: (query) => query.meta?.['isLive'] !== false && isMeant(query),
      // A page in the background is read again when it is looked at.
      refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
    })
  const refreshers = new Map<string, () => void>()
  const refreshPath = (path: string): void => {
    const known = refreshers.get(path) ?? atMostEvery(paceMs(path), () => refresh((query) => isBelow(query, path)))
    refreshers.set(path, known)
    known()
  }
  const all = (): void => void queries.invalidateQueries()
  let first: ReturnType<typeof setTimeout> | undefined
  const ends = [
    ...topics.map((topic) =>
      onLive(topic, ({ items }) => {
        const stale = stalePaths[topic] as (item: unknown) => readonly string[]
        for (const path of new Set(items.flatMap(stale))) refreshPath(path)
      }),
    ),
    // What the page read before the stream began may be old already; what no topic is about cannot be. The page is shown first.
    onMissed('ready', () => {
      first = setTimeout(() => void refresh((query) => allPaths.some((path) => isBelow(query, path))), firstMs)
    }),
    onMissed('reset', all),
    // What failed while there was no server.
    onLiveState(({ isLive }) => {
      if (isLive) void queries.refetchQueries({ type: 'active', predicate: isUnanswered })
    }),
  ]
  const timer = setInterval(() => {
    const { isLive, since } = liveState()
    if (!isLive && Date.now() - since >= pollMs) all()
  }, pollMs)
  return () => {
    clearInterval(timer)
    clearTimeout(first)
    for (const end of ends) end()
  }
}

const isUnanswered = ({ state: { error } }: Query): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

const isBelow = ({ queryKey: [first] }: Query, path: string): boolean =>
  typeof first === 'string' && (first === path || first.startsWith(`${path}/`))

/** Runs at once, and for whatever comes until it has ended and the time is over, once more. */
const atMostEvery = (ms: number, run: () => Promise<void>): (() => void) => {
  let isRunning = false
  let isWanted = false
  const go = async (): Promise<void> => {
    isRunning = true
    do {
      isWanted = false
      await Promise.all([run(), new Promise((resolve) => setTimeout(resolve, ms))])
    } while (isWanted)
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void go()
  }
}
