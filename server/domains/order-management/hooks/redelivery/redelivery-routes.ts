import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { findDelivery, type Delivery } from '#delivery/log/delivery-log.ts'
import type { Preview } from '#delivery/redelivery/preview.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Refusal } from '#delivery/redelivery/redelivery-requests.ts'
import {
  findRedelivery,
  listRedeliveries,
  redeliveryList,
  type Redelivery,
  type VisibleRedeliveries,
} from '#delivery/redelivery/redelivery-store.ts'
import { recoveryRoutes, type Recovery } from '#delivery/surface/recovery-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { type AppError, conflict, invalidField, orNotFound, ruleBroken } from '#platform/errors.ts'
import type { Answer } from '#platform/http/idempotency.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { Described, IdParams, WithHeaders } from '#platform/http/schemas.ts'
import { changing, reading, route, visibleTo } from '../hook-surface.ts'
import { hookIdsOf } from '../hooks-store.ts'
import { deliveryFilterOf } from '../log/hook-event-filter.ts'
import {
  RecoverBody,
  RedeliveryCount,
  RedeliveryRecord,
  ReplayBody,
  ReplayResult,
  RetryBody,
  toRecord,
  toSample,
} from './redelivery-schemas.ts'

export interface RedeliveryRoutesDeps extends Surface {
  readonly baseUrl: () => string
  readonly redeliveries: Redeliveries
  readonly installationId: string
  /** `/whisperer` unless configured otherwise. */
  readonly root: string
}

/** Putting deliveries back in the queue: what a hook missed, what a filter matches, one event again. */
export const redeliveryRoutes =
  ({ root, ...deps }: RedeliveryRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock, write, baseUrl, redeliveries } = deps
    const path = `${root}/redeliveries`
    const answerOf = async (tx: Tx, id: number | undefined): Promise<Answer> => {
      const job = id === undefined ? undefined : await findRedelivery(tx, id, 'all')
      if (job === undefined) return { status: 200, body: { count: 0, is_exact: true, sample: [] } }
      return { status: 202, body: toRecord(job), headers: { location: `${baseUrl()}${path}/${job.id}/` } }
    }
    const find = async (tx: Db | Tx, id: number, { principal }: FastifyRequest): Promise<Redelivery | undefined> =>
      findRedelivery(tx, id, await visibleJobs(tx, principal))

    await app.register(
      recoveryRoutes(deps, {
        ...recover,
        dates: 'beginnings',
        isStarted: (body) => isStarted(body as Static<typeof RecoverBody>),
        count: async (tx, { subscriptionId, since = clock.now() }, { body }) => {
          const { missing: onlyMissing } = body as Static<typeof RecoverBody>
          return toCount(await redeliveries.previewRecovery(tx, { subscriptionId, since, onlyMissing }))
        },
        start: async (tx, recovery, request) => answerOf(tx, await startRecovery(deps, tx, recovery, request)),
      }),
    )

    app.post(`${root}/hook_events/retry`, retry, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { principal, body } = request
        const { filter: named, force = false, per_second: perSecond } = body
        const visible = await hookIdsOf(tx, visibleTo(principal))
        const wanted = { filter: deliveryFilterOf(named, visible, deps.installationId, 'filter.'), force }
        request.isPreview = !isStarted(body)
        if (request.isPreview) return { status: 200, body: toCount(await redeliveries.previewRetry(tx, wanted)) }
        const job = { ...wanted, requestedBy: principal.userId, perSecond, asked: { filter: named, force } }
        return answerOf(tx, await redeliveries.startRetry(tx, job, clock.now()))
      }),
    )

    app.post(`${root}/hook_events/:id/replay`, replay, async (request, reply) =>
      write(request, reply, async (tx) => {
        const visible = await hookIdsOf(tx, visibleTo(request.principal))
        const { eventId } = orNotFound(await findDelivery(tx, request.params.id, visible))
        const chosen = request.body?.hooks
        const foreign = chosen?.findIndex((id) => !visible.includes(id)) ?? -1
        if (foreign >= 0) throw invalidField(`hooks.${foreign}`, 'You have no such hook.')
        const hooks = await redeliveries.replay(tx, eventId, chosen ?? visible, clock.now())
        return { status: 202, body: { queued: hooks.length, hooks } }
      }),
    )

    app.post(`${root}/hook_events/:id/drop`, drop, async (request, reply) =>
      write(request, reply, (tx) => dropOne(deps, tx, request.params.id, request.principal)),
    )

    const jobs = recordRoutes(app, deps, { path, route, record: RedeliveryRecord, toWire: toRecord })
    jobs.list(list, redeliveryList, async (db, query, { principal }) =>
      listRedeliveries(db, await visibleJobs(db, principal), query),
    )
    jobs.get(reading('getRedelivery', 'Get a redelivery', 'How far it is: `queued` of `total`.'), find)
    jobs.act('cancel', cancel, undefined, async (tx, id, _, request) => {
      const { status } = orNotFound(await find(tx, id, request))
      if (!(await redeliveries.cancel(tx, id, clock.now()))) throw redeliveryEnded(status)
      return find(tx, id, request)
    })
  }

type Deps = Pick<RedeliveryRoutesDeps, 'clock' | 'redeliveries'>

/** @throws AppError 400 while the hook is switched off; 409 while another recovery of it runs. */
const startRecovery = async (
  { clock, redeliveries }: Deps,
  tx: Tx,
  { subscriptionId, since = clock.now() }: Recovery,
  { principal, body }: FastifyRequest,
): Promise<number | undefined> => {
  const { per_second: perSecond, missing: onlyMissing } = body as Static<typeof RecoverBody>
  const asked = { since: since.toISOString(), ...(onlyMissing === true && { missing: true }) }
  const job = { subscriptionId, since, onlyMissing, requestedBy: principal.userId, perSecond, asked }
  const answer = await redeliveries.requestRecovery(tx, job, clock.now())
  if (answer.ok) return answer.id
  throw refused(answer)
}

const isStarted = ({ start, dry_run: dryRun }: { readonly start?: boolean; readonly dry_run?: boolean }): boolean =>
  start === true && dryRun !== true

const toCount = ({ count, isExact, sample }: Preview) => ({
  count,
  is_exact: isExact,
  sample: sample.map((one) => toSample(one)),
})

/** Users see what they asked for and what concerns their hooks, superusers everything. */
const visibleJobs = async (db: Db | Tx, principal: Principal): Promise<VisibleRedeliveries> => {
  const owner = visibleTo(principal)
  return owner === 'anyone' ? 'all' : { requestedBy: owner, subscriptionIds: await hookIdsOf(db, owner) }
}

const refused = (why: Refusal): AppError =>
  why.reason === 'inactive'
    ? ruleBroken('hook_inactive', 'The hook is switched off; switch it on first, then recover what it missed.')
    : conflict('recovery_running', `Redelivery ${why.id} is recovering this hook already; wait for it, or cancel it.`)

/** @throws AppError 404; 409 during an attempt; 400 where it does not wait. */
const dropOne = async ({ clock, redeliveries }: Deps, tx: Tx, id: number, principal: Principal): Promise<Answer> => {
  const delivery = orNotFound(await findDelivery(tx, id, hookIdsOf(tx, visibleTo(principal))))
  const outcome = await redeliveries.dropOne(tx, delivery, clock.now())
  if (outcome !== 'dropped') throw notDropped(outcome, delivery)
  return { status: 204, body: undefined }
}

const notDropped = (why: 'under_way' | 'ended', { status }: Delivery): AppError =>
  why === 'under_way'
    ? conflict('attempt_under_way', 'An attempt of this delivery is under way; drop it when that has ended.')
    : ruleBroken('delivery_ended', `The delivery is ${status}; only one that waits can be dropped.`)

const redeliveryEnded = (status: Redelivery['status']) =>
  ruleBroken('redelivery_ended', `The redelivery is ${status}; only one that is running can be cancelled.`)

const counted = 'Nothing is started: how many it would be.'
const started = WithHeaders(Described('The redelivery, which is started.', RedeliveryRecord), 'Location')
const recover = {
  operation: changing(
    'recoverHook',
    'Send a hook what it missed',
    'Every event of its kind since a time, and since there is the hook, up to the start: one that failed, was held or was never queued is put ' +
      'in the queue, one that was delivered or is due is left alone. With `missing` only events that never got a delivery, also from before the hook. ' +
      'Without `start` only counted. 200 also when there is nothing to do.',
  ),
  body: RecoverBody,
  response: { 200: Described(counted, RedeliveryCount), 202: started },
}
const retry = route(
  changing(
    'retryHookEvents',
    'Send many deliveries again',
    'Those that match the filter and failed or are held; with `force` also those that were delivered. ' +
      'Without `start` only counted. 200 also when there is nothing to do.',
  ),
  { body: RetryBody, response: { 200: Described(counted, RedeliveryCount), 202: started } },
)
const replay = route(
  changing(
    'replayHookEvent',
    'Send an event again to every hook that listens',
    'The event of this delivery, to every active hook of the caller that listens to it now, whether or not it got it before. ' +
      'What is due or under way is left alone.',
  ),
  { params: IdParams, body: ReplayBody, response: { 202: ReplayResult } },
)
const drop = route(
  changing(
    'dropHookEvent',
    'Drop a delivery that waits',
    'It becomes `cancelled` and is not sent, also by a recovery. Of a hook with order the next one about the object goes.',
  ),
  { params: IdParams, response: { 204: Type.Null() } },
)
const list = reading(
  'listRedeliveries',
  'List redeliveries',
  'Those that the caller asked for, and those of the caller’s hooks; the newest first.',
)
const cancel = changing('cancelRedelivery', 'Cancel a redelivery', 'What it has queued stays in the queue.')
