import {
  refusals,
  rules,
  type Actor,
  type Cell,
  type QuotationAction,
  type QuotationStatus,
  type Refusal,
  type Surface,
} from './transitions.ts'

/** What decides about an action, besides the table. */
export interface Situation {
  readonly status: QuotationStatus
  /** Rejected by somebody of the main division. */
  readonly isRejectedByMain: boolean
  /** The action comes with a time to expire that is in the future. */
  readonly hasNewExpiry: boolean
}

/** Who asks, and where: one person can be several actors, such as an owner of the main division. */
export interface Caller {
  readonly surface: Surface
  readonly actors: readonly Actor[]
}

/** What becomes of an action that somebody asks for. `forbidden`: it is not for such as they. */
export type Decision =
  | { readonly to: QuotationStatus }
  | { readonly refused: Refusal }
  | { readonly refused: 'forbidden' }

/** Decides whether an action may be done, by the table of transitions. */
export const decide = (action: QuotationAction, caller: Caller, situation: Situation): Decision => {
  const rule = rules.find(
    (one) => one.action === action && one.surface === caller.surface && isOneOf(one.actors, caller.actors),
  )
  return rule === undefined ? { refused: 'forbidden' } : outcomeOf(rule.cells[situation.status], situation)
}

const isOneOf = (wanted: readonly Actor[], given: readonly Actor[]): boolean =>
  wanted.some((actor) => given.includes(actor))

const outcomeOf = (cell: Cell, situation: Situation): Decision => {
  if ('refused' in cell) return cell
  if (cell.unless === undefined || holds[cell.unless]?.(situation) !== true) return { to: cell.to }
  return { refused: cell.unless }
}

/** Conditions that the table names; whether they stand in the way. */
const holds: Partial<Record<Refusal, (situation: Situation) => boolean>> = {
  rejected_by_main_division: ({ isRejectedByMain }) => isRejectedByMain,
  needs_new_expiry: ({ hasNewExpiry }) => !hasNewExpiry,
}

export interface PermittedActions {
  /** What the caller may do now. */
  readonly allowed: readonly QuotationAction[]
  /** What is for such as the caller, but not now, and why. */
  readonly blocked: Readonly<Partial<Record<QuotationAction, string>>>
}

/** What somebody may do with a quotation. A time to expire can still be given with the action that needs one. */
export const permittedActions = (caller: Caller, situation: Omit<Situation, 'hasNewExpiry'>): PermittedActions => {
  const allowed: QuotationAction[] = []
  const blocked: Partial<Record<QuotationAction, string>> = {}
  for (const { action, surface, actors } of rules) {
    if (surface !== caller.surface || !isOneOf(actors, caller.actors)) continue
    const decision = decide(action, caller, { ...situation, hasNewExpiry: true })
    if ('to' in decision) allowed.push(action)
    else if (decision.refused !== 'forbidden') blocked[action] = refusals[decision.refused]
  }
  return { allowed, blocked }
}
