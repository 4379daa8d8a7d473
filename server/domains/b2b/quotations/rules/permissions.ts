import { mostOrders, type Cut, type Inactive } from '../quotation.ts'
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
  /** Its time to expire has passed, which does nothing to a draft. */
  readonly isOverdue?: boolean
  /** What of it was switched off. */
  readonly inactive?: Inactive
  /** The caller orders for no division. */
  readonly hasNoDivision?: boolean
  /** The caller is its owner, and does not belong to its company any more. */
  readonly hasLostOwner?: boolean
  /** Into how many orders it is cut. */
  readonly cut?: Cut
  /** Its owner has to agree to its terms, and has not. */
  readonly lacksConsent?: boolean
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
  const refused = cell.unless?.find((one) => holds[one]?.(situation) === true)
  return refused === undefined ? { to: cell.to } : { refused }
}

/** Conditions that the table names; whether they stand in the way. */
const holds: Partial<Record<Refusal, (situation: Situation) => boolean>> = {
  rejected_by_main_division: ({ isRejectedByMain }) => isRejectedByMain,
  needs_new_expiry: ({ status, isOverdue = status === 'expired', hasNewExpiry }) => isOverdue && !hasNewExpiry,
  division_inactive: ({ inactive }) => inactive !== undefined && inactive.divisions.length > 0,
  product_inactive: ({ inactive }) => inactive !== undefined && inactive.products.length > 0,
  main_division_inactive: ({ inactive }) => inactive?.main !== undefined && inactive.main.length > 0,
  no_division: ({ hasNoDivision }) => hasNoDivision === true,
  left_company: ({ hasLostOwner }) => hasLostOwner === true,
  quotation_empty: ({ cut }) => cut?.orders === 0,
  too_many_orders: ({ cut }) => cut !== undefined && cut.orders > mostOrders,
  owner_consent_required: ({ lacksConsent }) => lacksConsent === true,
}

/** Whether what a caller may do with a quotation in a status can depend on what was switched off. */
export const dependsOnInactive = (caller: Caller, status: QuotationStatus): boolean =>
  unlessOf(caller, status).some((one) => one in namesOf)

/** The same of where its owner belongs. Whoever is of the main division belongs to the company. */
export const dependsOnOwner = (caller: Caller, status: QuotationStatus): boolean =>
  caller.actors.includes('owner') &&
  !caller.actors.includes('main') &&
  unlessOf(caller, status).includes('left_company')

/** The same of how many orders become of it. */
export const dependsOnCut = (caller: Caller, status: QuotationStatus): boolean =>
  unlessOf(caller, status).some((one) => one === 'quotation_empty' || one === 'too_many_orders')

/** The same of what its owner has agreed to. */
export const dependsOnConsent = (caller: Caller, status: QuotationStatus): boolean =>
  unlessOf(caller, status).includes('owner_consent_required')

/** All that can stand in the way of what a caller may do. */
const unlessOf = ({ surface, actors }: Caller, status: QuotationStatus): Refusal[] =>
  rules
    .filter((rule) => rule.surface === surface && isOneOf(rule.actors, actors))
    .flatMap(({ cells: { [status]: cell } }) => ('to' in cell ? [...(cell.unless ?? [])] : []))

const namesOf: Partial<Record<Refusal, keyof Inactive>> = {
  division_inactive: 'divisions',
  product_inactive: 'products',
  main_division_inactive: 'main',
}

/** Why not, for people: with the names, or the number, of what stands in the way. */
export const reasonOf = (refused: Refusal, { inactive, cut }: Pick<Situation, 'inactive' | 'cut'>): string => {
  const named = namesOf[refused]
  const names = named === undefined ? [] : (inactive?.[named] ?? [])
  const details = refused === 'too_many_orders' && cut !== undefined ? [countOf(cut)] : names
  return details.length === 0 ? refusals[refused] : `${refusals[refused].slice(0, -1)}: ${details.join(', ')}.`
}

const countOf = ({ orders, batchSize }: Cut): string =>
  `${orders} of at most ${batchSize} units, and ${mostOrders} can be made`

export interface PermittedActions {
  /** What the caller may do now. */
  readonly allowed: readonly QuotationAction[]
  /** What is for such as the caller, but not now, and why. */
  readonly blocked: Readonly<Partial<Record<QuotationAction, string>>>
}

/** What somebody may do with a quotation, without giving it another time to expire. */
export const permittedActions = (caller: Caller, situation: Omit<Situation, 'hasNewExpiry'>): PermittedActions => {
  const allowed: QuotationAction[] = []
  const blocked: Partial<Record<QuotationAction, string>> = {}
  for (const { action, surface, actors } of rules) {
    if (surface !== caller.surface || !isOneOf(actors, caller.actors)) continue
    const decision = decide(action, caller, { ...situation, hasNewExpiry: false })
    if ('to' in decision) allowed.push(action)
    else if (decision.refused !== 'forbidden') blocked[action] = reasonOf(decision.refused, situation)
  }
  return { allowed, blocked }
}
