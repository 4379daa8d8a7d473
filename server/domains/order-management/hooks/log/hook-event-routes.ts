import type { FastifyPluginAsync } from 'fastify'
import { Type, type Static } from 'typebox'
import type { AttemptReport } from '#delivery/worker/attempt-now.ts'
import type { Delivery } from '#delivery/log/delivery-log.ts'
import { deliveryRoutes } from '#delivery/surface/delivery-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { Answer, Perform } from '#platform/http/idempotency.ts'
import { Described, IdParams, Nullable } from '#platform/http/schemas.ts'
import { explainOne } from './explain-routes.ts'
import { deliveryFilterOf, hookEventList } from './hook-event-filter.ts'
import { attempt, HookEventDetail, HookEventRecord, toEventRecord } from './hook-event-record.ts'
import { toRecord } from '../hook-routes.ts'
import type { HookOfEvent } from '../hook-schemas.ts'
import { reading, refusing, route, visibleTo } from '../hook-surface.ts'
import { findHooksWithRemoved, hookIdsOf, type Hook } from '../hooks-store.ts'

export type AttemptNow = (deliveryId: number) => Promise<AttemptReport>

export interface HookEventRoutesDeps extends Surface {
  readonly perform: Perform
  readonly baseUrl: () => string
  /** `/whisperer` unless configured otherwise. */
  readonly root: string
  readonly installationId: string
  readonly attemptNow: AttemptNow
}

/** What was delivered to the caller's hooks, removed ones included (contract, section 4). */
export const hookEventRoutes = (deps: HookEventRoutesDeps): FastifyPluginAsync => {
  const { perform, root, installationId } = deps
  const path = `${root}/hook_events`
  return deliveryRoutes(deps, {
    route,
    path,
    params: undefined,
    itemPath: `${path}/:id`,
    itemParams: IdParams,
    idOf: ({ params }) => (params as Static<typeof IdParams>).id,
    visible: (tx, { principal }) => hookIdsOf(tx, visibleTo(principal)),
    list: hookEventList,
    filterOf: (query, visible) => deliveryFilterOf(query, visible, installationId),
    record: HookEventRecord,
    detail: HookEventDetail,
    toRecords: async (deliveries) => {
      const hooks = await hooksOf(deps, deliveries)
      return deliveries.map((delivery) => toEventRecord(delivery, hooks, installationId))
    },
    toDetail: (record, _, attempts) => ({ ...record, attempts: attempts.map(attempt.toRecord) }),
    operations: {
      list: reading(
        'listHookEvents',
        'List what was delivered',
        'One delivery for each event and hook, the newest first; those of removed hooks too.',
      ),
      get: reading(
        'getHookEvent',
        'Get a delivery with its attempts',
        'What was sent and what came back, attempt by attempt.',
      ),
    },
    explain: explainOne,
    retry: { ...retry, perform, tryNow: (delivery, force) => tryNow(delivery, force, deps) },
  })
}

/**
 * The hooks of a page of deliveries, by id: clients of the original expect the whole hook in each of its events.
 * Of a removed one only what the history needs is shown.
 */
const hooksOf = async ({ db, subscriptions }: Surface, deliveries: readonly Delivery[]) => {
  const ids = [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))]
  const hooks = await findHooksWithRemoved(db, ids)
  return new Map(
    hooks.map(({ settings, ...hook }) => [
      hook.id,
      settings === null ? removedRecord(hook) : toRecord({ ...hook, settings: subscriptions.open(settings) }),
    ]),
  )
}

const removedRecord = ({ id, sentEvents, createdAt, modifiedAt }: Hook): HookOfEvent => ({
  id,
  event_type: sentEvents,
  target_url: null,
  is_active: false,
  retry_countdown_config: null,
  additional_headers: {},
  config: {},
  secret_key: null,
  callback: null,
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})

/** What a manual retry came to. */
const RetryResult = Type.Object(
  {
    detail: Type.String(),
    response_status: Nullable(Type.Integer()),
    response_content: Nullable(Type.String()),
    response_time: Nullable(Type.String({ description: 'Seconds.', examples: ['0.187'] })),
    delivered: Type.Boolean(),
    code: Type.Optional(Type.String({ description: 'Of a refusal: the code that the original service gives it.' })),
    en: Type.Optional(Type.String({ description: 'The same as detail, where the original service has it.' })),
  },
  { title: 'RetryResult', description: 'What came of the attempt.' },
)
type RetryResult = Static<typeof RetryResult>

const retry = {
  operation: refusing(
    'retryHookEvent',
    'Try a delivery again, at once',
    '406 while a retry is still due, or when it was delivered; `force` tries all the same. 406 also while the hook is not active.',
  ),
  force: 'Also while a retry is still due, or when it was delivered. Default: false.',
  response: {
    200: Described('The receiver took it.', RetryResult),
    406: Described('It was not sent, or the receiver did not take it.', RetryResult),
  },
}

/** Why a delivery is not tried again by hand: a sentence, and the code that clients of the original know it by. */
const refusals: Partial<Record<Delivery['status'], { readonly detail: string; readonly code: string }>> = {
  delivered: { detail: 'Event already delivered', code: 'event_100_3' },
  pending: { detail: 'Event is still in retry process', code: 'event_100_6' },
  waiting: { detail: 'Event waits for an earlier one of the same object', code: 'event_100_6' },
}

const notTried = {
  busy: 'An attempt of this event is under way',
  gone: 'The hook of this event has been removed',
  waiting: 'Another event of the same object is not done yet, and this hook gets them in order',
  off: 'The hook of this event is not active, so nothing is sent: PATCH it with {"is_active": true} first',
} as const

/** Tries a delivery at once and says what came of it: 200 delivered, 406 not (contract, section 11). `force` overrules what its status refuses. */
const tryNow = async (
  { id, status, subscriptionId }: Delivery,
  force: boolean,
  { db, subscriptions, attemptNow }: HookEventRoutesDeps,
): Promise<Answer> => {
  const refusal = force ? undefined : refusals[status]
  if (refusal !== undefined)
    return untried(refusal.detail, status === 'delivered', { code: refusal.code, en: refusal.detail })
  const hook = await subscriptions.find(db, subscriptionId)
  if (hook?.isActive === false) return untried(notTried.off, false)
  const report = await attemptNow(id)
  if (!report.ok) return untried(notTried[report.reason], false)
  const result: RetryResult = {
    detail: report.delivered
      ? 'Webhook event delivered successfully'
      : `Webhook event delivery failed: ${report.reason}`,
    response_status: report.responseStatus,
    response_content: report.responseBody,
    response_time: String(report.durationMs / 1_000),
    delivered: report.delivered,
  }
  return { status: report.delivered ? 200 : 406, body: result }
}

const untried = (detail: string, delivered: boolean, known: Pick<RetryResult, 'code' | 'en'> = {}): Answer => {
  const nothing = { response_status: null, response_content: null, response_time: null }
  const result: RetryResult = { detail, ...nothing, delivered, ...known }
  return { status: 406, body: result }
}
