import type { DeliveryFilter } from '#delivery/log/delivery-filter.ts'
import type { Delivery } from '#delivery/log/delivery-log.ts'

/** Where a run stands (contract, section 11: Flows). */
export const runStates = ['queued', 'running', 'succeeded', 'failed'] as const
export type RunState = (typeof runStates)[number]

const stateOfStatus = {
  /** Kept while the engine has the target switched off. */
  held: 'queued',
  delivered: 'succeeded',
  failed: 'failed',
  /** The flow was removed first. */
  cancelled: 'failed',
} as const satisfies Record<Exclude<Delivery['status'], 'pending'>, RunState>

/** Nothing is stored of a run but its delivery: its state follows from that. */
export const stateOf = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): RunState => {
  if (status !== 'pending') return stateOfStatus[status]
  return attempts === 0 ? 'queued' : 'running'
}

/** The deliveries of the runs in each state. */
export const deliveriesIn = {
  queued: { statuses: ['pending', 'held'], pendingTried: false },
  running: { statuses: ['pending'], pendingTried: true },
  succeeded: { statuses: ['delivered'] },
  failed: { statuses: ['failed', 'cancelled'] },
} as const satisfies Record<RunState, Pick<DeliveryFilter, 'statuses' | 'pendingTried'>>
