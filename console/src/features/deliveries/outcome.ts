import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import { deliveryOutcomes } from '#ui/delivery/outcomes.ts'
import { endingWord } from '#ui/delivery/ending.ts'
import type { Outcome } from '#ui/status.tsx'

export type Delivery = Schema<'HookEvent'>

type Facts = Pick<Delivery, 'status' | 'attempt_count' | 'reason' | 'response_http_status'>

/** What there is to see of a delivery's status: one that is due again is told apart from one that was never tried. */
export type Stage = Delivery['status'] | 'retrying'

export const stageOf = ({ status, attempt_count: attempts }: Pick<Facts, 'status' | 'attempt_count'>): Stage =>
  status === 'pending' && attempts > 0 ? 'retrying' : status

export const outcomes: Readonly<Record<Stage, Outcome>> = {
  ...deliveryOutcomes,
  retrying: 'wait',
}

/** How the last attempt ended, in a word; empty where that says nothing. @param t texts of `delivery` */
export const codeOf = ({ status, reason, response_http_status: http }: Facts, t: TFunction): string => {
  if (status === 'held' || status === 'waiting') return ''
  return endingWord({ reason, status: http }, t)
}
