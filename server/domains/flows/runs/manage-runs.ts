import { attemptsOf, findDelivery, listDeliveries, type Attempt, type Delivery } from '#delivery/log/delivery-log.ts'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { conflict, notFound, type AppError } from '#platform/errors.ts'
import type { Page, Rows } from '#platform/http/pagination.ts'
import { findFlowWithRemoved, holdFlow, scopeOf, takesData } from '../flows/index.ts'
import { deliveriesIn, stateOf, type RunState } from './run-state.ts'

/** What the log of deliveries calls the data of a flow. */
const messageType = 'flow.data'

export interface Content {
  readonly mediaType: string
  readonly bytes: Buffer
}

export interface RunFilter {
  readonly state: RunState | undefined
  /** The delivery with the `webhook-id` that was asked for. */
  readonly id: number | undefined
  readonly createdFrom: Date | undefined
  readonly createdBefore: Date | undefined
}

export interface ManageRunsDeps {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'send'>
  readonly redeliveries: Pick<Redeliveries, 'retryOne'>
}

/** The runs of flows: each is one delivery to the subscription of its flow, and has its id. */
export const makeManageRuns = ({ clock, outbox, redeliveries }: ManageRunsDeps) => {
  /** Where the runs of a flow are, of a removed one too; an inbound flow has none. @throws AppError 404. */
  const subscriptionIdsOf = async (db: Db | Tx, flowId: number): Promise<number[]> => {
    const flow = await findFlowWithRemoved(db, flowId)
    if (flow === undefined) throw notFound()
    return flow.direction === 'outbound' ? [flow.subscriptionId] : []
  }

  const find = async (db: Db | Tx, flowId: number, runId: number): Promise<Delivery> => {
    const delivery = await findDelivery(db, runId, await subscriptionIdsOf(db, flowId))
    if (delivery === undefined) throw notFound()
    return delivery
  }

  return {
    /**
     * Stores data to be sent to the flow's target. The flow is held: it is not switched off or removed meanwhile.
     * @returns the id of the run.
     * @throws AppError 404; 409 for an inbound flow, and for one that a person has switched off.
     */
    async start(tx: Tx, flowId: number, content: Content): Promise<number> {
      const flow = await holdFlow(tx, flowId)
      if (flow === undefined) throw notFound()
      if (flow.direction === 'inbound')
        throw conflict('flow_inbound', 'This flow is inbound; data can be sent only to outbound flows.')
      const object = { type: 'flow', id: flowId } as const
      const message = { type: messageType, scope: scopeOf(flowId), object, content }
      const runId = await outbox.send(tx, flow.subscriptionId, message)
      if (runId === undefined) throw inactive()
      return runId
    },

    list: async (db: Db, flowId: number, filter: RunFilter, page: Page): Promise<Rows<Delivery>> => {
      const { state, ...rest } = filter
      const subscriptionIds = await subscriptionIdsOf(db, flowId)
      const inState = state === undefined ? {} : deliveriesIn[state]
      return listDeliveries(db, { subscriptionIds, ...inState, ...rest }, 'desc', page)
    },

    async findWithAttempts(
      db: Db,
      flowId: number,
      runId: number,
    ): Promise<{ delivery: Delivery; attempts: readonly Attempt[] }> {
      const delivery = await find(db, flowId, runId)
      return { delivery, attempts: await attemptsOf(db, delivery.id) }
    },

    /**
     * Sends the data of a run again. The flow is held: it is not switched off or removed meanwhile. Through one that a person
     * has switched off nothing is sent; where the engine has, data is taken, and so is this: it goes out when the target is back.
     * @returns its state then.
     * @throws AppError 404; 409 that says why not.
     */
    async retry(tx: Tx, flowId: number, runId: number, force: boolean): Promise<RunState> {
      const { attempts, subscriptionId } = await find(tx, flowId, runId)
      if ((await holdFlow(tx, flowId)) !== undefined && !(await takesData(tx, subscriptionId))) throw inactive()
      const outcome = await redeliveries.retryOne(tx, runId, { force }, clock.now())
      if (outcome !== 'queued') throw refusals[outcome]()
      return stateOf({ status: 'pending', attempts })
    },
  }
}

export type ManageRuns = ReturnType<typeof makeManageRuns>

const inactive = () =>
  conflict('flow_inactive', 'This flow is switched off (is_active is false); switch it on to send data.')

const refusals = {
  due: () =>
    conflict(
      'run_due',
      'This run is due, now or at next_attempt_at. force makes it due now; while its target has asked for quiet, is failing or is switched off, it waits all the same: see health of the flow.',
    ),
  delivered: () => conflict('run_succeeded', 'This run has succeeded; force sends its data again.'),
  under_way: () => conflict('run_under_way', 'An attempt of this run is under way; wait for its end.'),
  gone: () => conflict('run_ended', 'The flow of this run was removed, or its data is not kept any more.'),
} as const satisfies Record<string, () => AppError>
