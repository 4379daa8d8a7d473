import { forbidden, ruleBroken } from '#platform/errors.ts'
import { conditions, type Condition, type Refusing } from './conditions.ts'
import { rules, statusReasons, type Rule, type StatusReason } from './transitions.ts'
import {
  quotationStatuses,
  type Actor,
  type QuotationAction,
  type QuotationStatus,
  type Surface,
} from './vocabulary.ts'

/** Everything that can refuse an action, and what it says. */
export const reasons: Readonly<Record<StatusReason | Condition, string>> = {
  ...statusReasons,
  ...(Object.fromEntries(Object.entries(conditions).map(([code, { says }]) => [code, says])) as Record<
    Condition,
    string
  >),
}

/** What decides about actions: one person can be several actors, such as an owner of the main division. */
export interface Situation {
  readonly surface: Surface
  readonly actors: readonly Actor[]
  readonly status: QuotationStatus
  /** Conditions that refuse now. */
  readonly refusing: Refusing
}

/** What becomes of an action. `forbidden`: it is not for such actors. */
export type Decision =
  | { readonly to: QuotationStatus }
  | { readonly refused: StatusReason | Condition; readonly reason: string }
  | { readonly refused: 'forbidden' }

/** Decides whether an action may be done, by the table of transitions. @param waived a condition that the request itself meets. */
export const decide = (action: QuotationAction, situation: Situation, waived?: Condition): Decision => {
  const rule = rulesFor(situation).find((one) => one.action === action)
  if (rule === undefined) return { refused: 'forbidden' }
  const outcome = rule.outcomes[situation.status]
  if ('refused' in outcome) return { refused: outcome.refused, reason: statusReasons[outcome.refused] }
  for (const condition of outcome.conditions) {
    const reason = situation.refusing.get(condition)
    if (reason !== undefined && condition !== waived) return { refused: condition, reason }
  }
  return { to: outcome.to }
}

const rulesFor = ({ surface, actors }: Pick<Situation, 'surface' | 'actors'>): readonly Rule[] =>
  rules.filter((rule) => rule.surface === surface && rule.actors.some((actor) => actors.includes(actor)))

/** Conditions that can refuse something to these actors in this status: only those have to be looked up. */
export const conditionsFor = (situation: Omit<Situation, 'refusing'>): Set<Condition> =>
  new Set(
    rulesFor(situation).flatMap(({ outcomes: { [situation.status]: outcome } }) =>
      'to' in outcome ? outcome.conditions : [],
    ),
  )

/** What somebody may do with a quotation, as answers say it. */
export interface Permissions {
  /** What they may do now, without giving it another time to expire. */
  readonly allowed: readonly QuotationAction[]
  /** What is for such as they, but not now, and why. */
  readonly blocked: Readonly<Partial<Record<QuotationAction, string>>>
  /**
   * The status after an action that is allowed.
   * @throws AppError 403 for somebody who may never do it; 400 with what is allowed instead.
   */
  readonly permit: (action: QuotationAction, waived?: Condition) => QuotationStatus
}

export const permissionsIn = (situation: Situation): Permissions => {
  const allowed: QuotationAction[] = []
  const blocked: Partial<Record<QuotationAction, string>> = {}
  for (const { action } of rulesFor(situation)) {
    const decision = decide(action, situation)
    if ('to' in decision) allowed.push(action)
    else if ('reason' in decision) blocked[action] = decision.reason
  }
  const permit: Permissions['permit'] = (action, waived) => {
    const decision = decide(action, situation, waived)
    if ('to' in decision) return decision.to
    if ('reason' in decision) throw ruleBroken(decision.refused, decision.reason, allowed)
    throw forbidden()
  }
  return { allowed, blocked, permit }
}

/** Statuses in which time runs, by the table. */
export const expiringStatuses = quotationStatuses.filter(
  (status) => 'to' in decide('expire', { surface: 'admin', actors: ['time'], status, refusing: new Map() }),
)
