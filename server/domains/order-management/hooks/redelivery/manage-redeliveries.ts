import { findDelivery } from '#delivery/log/delivery-log.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Refusal } from '#delivery/redelivery/redelivery-requests.ts'
import {
  findRedelivery,
  listRedeliveries,
  type Redelivery,
  type VisibleRedeliveries,
} from '#delivery/redelivery/redelivery-store.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { conflict, invalidField, notFound, ruleBroken, type AppError } from '#platform/errors.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readTimeRange } from '#platform/lists/time-range.ts'
import { deliveryFilterOf } from '../log/hook-event-filter.ts'
import { findHook, hookIdsOf } from '../hooks-store.ts'
import { visibleTo } from '../hook-surface.ts'
import type { RecoverBody, RetryBody } from './redelivery-schemas.ts'

export interface ManageRedeliveriesDeps {
  readonly clock: Clock
  readonly redeliveries: Redeliveries
  readonly installationId: string
}

/** What a request came to: how many deliveries it would queue, or the job that queues them. */
export type Requested =
  | { readonly job: Redelivery }
  | {
      readonly job: undefined
      readonly count: number
      readonly isExact: boolean
      /** Of a recovery: the error that a start would be answered with. */
      readonly startRefused?: AppError | null
    }

/** Asking for deliveries again. Everything happens in the transaction that is given. */
export const makeManageRedeliveries = ({ clock, redeliveries, installationId }: ManageRedeliveriesDeps) => {
  const nothing: Requested = { job: undefined, count: 0, isExact: true }

  const started = async (tx: Tx, id: number | undefined): Promise<Requested> => {
    const job = id === undefined ? undefined : await findRedelivery(tx, id, 'all')
    return job === undefined ? nothing : { job }
  }

  const recover = async (tx: Tx, who: Principal, hookId: number, body: RecoverBody): Promise<Requested> => {
    const now = clock.now()
    const since = sinceOf(body.since, now)
    const hook = await findHook(tx, visibleTo(who), hookId)
    if (hook === undefined) throw notFound()
    const request = { subscriptionId: hook.id, since }
    if (body.start !== true) {
      const counted = (await redeliveries.countRecovery(tx, request)) ?? nothing
      const obstacle = await redeliveries.recoveryObstacle(tx, hook.id)
      return { job: undefined, ...counted, startRefused: obstacle === undefined ? null : refused(obstacle) }
    }
    const asked = { since: since.toISOString() }
    const job = { ...request, requestedBy: who.userId, perSecond: body.per_second, asked }
    const answer = await redeliveries.requestRecovery(tx, job, now)
    if (answer.ok) return started(tx, answer.id)
    throw refused(answer)
  }

  const retry = async (tx: Tx, who: Principal, body: RetryBody): Promise<Requested> => {
    const { filter: asked, force = false } = body
    const filter = deliveryFilterOf(asked, await hookIdsOf(tx, visibleTo(who)), installationId, 'filter.')
    if (body.start !== true) return { job: undefined, ...(await redeliveries.countRetry(tx, { filter, force })) }
    const job = { filter, force, requestedBy: who.userId, perSecond: body.per_second, asked: { filter: asked, force } }
    return started(tx, await redeliveries.startRetry(tx, job, clock.now()))
  }

  const find = async (db: Db | Tx, who: Principal, id: number): Promise<Redelivery> => {
    const job = await findRedelivery(db, id, await visibleJobs(db, who))
    if (job === undefined) throw notFound()
    return job
  }

  return {
    recover,
    retry,
    find,

    list: async (db: Db, who: Principal, page: Page): Promise<Rows<Redelivery>> =>
      listRedeliveries(db, await visibleJobs(db, who), page),

    async cancel(tx: Tx, who: Principal, id: number): Promise<Redelivery> {
      const { status } = await find(tx, who, id)
      if (!(await redeliveries.cancel(tx, id, clock.now()))) throw redeliveryEnded(status)
      return find(tx, who, id)
    },

    /** Sends the event of a delivery again to the caller's hooks, or to some of them. @returns those that get it. */
    async replay(tx: Tx, who: Principal, deliveryId: number, chosen: readonly number[] | undefined): Promise<number[]> {
      const visible = await hookIdsOf(tx, visibleTo(who))
      const delivery = await findDelivery(tx, deliveryId, visible)
      if (delivery === undefined) throw notFound()
      const foreign = chosen?.findIndex((id) => !visible.includes(id)) ?? -1
      if (foreign >= 0) throw invalidField(`hooks.${foreign}`, 'You have no such hook.')
      return redeliveries.replay(tx, delivery.eventId, chosen ?? visible, clock.now())
    },
  }
}

export type ManageRedeliveries = ReturnType<typeof makeManageRedeliveries>

/** Users see what they asked for and what concerns their hooks, superusers everything. */
const visibleJobs = async (db: Db | Tx, who: Principal): Promise<VisibleRedeliveries> => {
  const owner = visibleTo(who)
  return owner === 'anyone' ? 'all' : { requestedBy: owner, subscriptionIds: await hookIdsOf(db, owner) }
}

const sinceOf = (text: string, now: Date): Date => {
  const { from: since = now } = readTimeRange(text, 'since', 'gte', 'beginnings')
  if (since > now) throw invalidField('since', 'Expected a time that has passed.')
  return since
}

const refused = (why: Refusal): AppError => (why.reason === 'inactive' ? hookInactive() : recoveryRunning(why.id))

const hookInactive = () =>
  ruleBroken('hook_inactive', 'The hook is switched off; switch it on first, then recover what it missed.')

const recoveryRunning = (id: number) =>
  conflict('recovery_running', `Redelivery ${id} is recovering this hook already; wait for it, or cancel it.`)

const redeliveryEnded = (status: Redelivery['status']) =>
  ruleBroken('redelivery_ended', `The redelivery is ${status}; only one that is running can be cancelled.`)
