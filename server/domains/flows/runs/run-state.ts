import type { Delivery } from '#delivery/log/delivery-log.ts'

/** Where a run stands (contract, section 11: Flows). */
export const runStates = ['queued', 'running', 'succeeded', 'failed'] as const
export type RunState = (typeof runStates)[number]

interface RunDeliveries {
  readonly statuses: readonly Delivery['status'][]
  /** Of pending ones, whether an attempt has begun. */
  readonly pendingTried?: boolean
}

/**
 * The deliveries of the runs in each state. A run has no life cycle of its own (docs/states.md): nothing is stored of it
 * but its delivery, and its state follows from that. A held delivery waits while the engine has the target switched off;
 * a cancelled one lost its flow first.
 */
export const deliveriesIn: Readonly<Record<RunState, RunDeliveries>> = {
  queued: { statuses: ['pending', 'held'], pendingTried: false },
  running: { statuses: ['pending'], pendingTried: true },
  succeeded: { statuses: ['delivered'] },
  failed: { statuses: ['failed', 'cancelled'] },
}

export const stateOf = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): RunState => {
  const isTried = status === 'pending' && attempts > 0
  const isIn = (state: RunState): boolean =>
    deliveriesIn[state].statuses.includes(status) && (deliveriesIn[state].pendingTried ?? false) === isTried
  return runStates.find(isIn) ?? 'failed'
}
