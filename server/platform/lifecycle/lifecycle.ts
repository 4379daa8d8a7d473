import { forbidden, ruleBroken } from '#platform/errors.ts'

/** The words and facts of a life cycle. A machine without surfaces, actors or facts leaves them as they are here. */
export interface Terms {
  readonly status: string
  readonly action: string
  /** Codes of the conditions. */
  readonly code: string
  /** What decides besides the status. */
  readonly facts: object
  /** What a move brings about besides the new status. */
  readonly effects: object
  readonly surface: string
  readonly actor: string
}

export type Situation<T extends Terms> = { readonly status: T['status'] } & Readonly<T['facts']>

/** The status after an action, and the conditions that can refuse it, in the order in which they are looked at. */
export type Move<T extends Terms> = {
  readonly to: T['status']
  readonly conditions?: readonly T['code'][]
} & Readonly<T['effects']>

export interface Refused<Code extends string> {
  readonly refused: Code
}

/** What can refuse an action: a status that does not allow it, or a fact. */
export interface Condition<T extends Terms> {
  /**
   * The reason, for people. `{status}`, `{action}` and `{allowed}` stand for those of the moment, `{from}` for the statuses in
   * which the part has the action.
   */
  readonly says: string
  /** What the reason adds after a colon, such as the names of products. */
  readonly details?: (situation: Situation<T>) => readonly string[]
  /** Whether the facts refuse. Absent: only a status refuses with this code. */
  readonly applies?: (situation: Situation<T>) => boolean
}

type Outcome<T extends Terms> = Move<T> | Refused<T['code']>

/** What an action does in each status, on a surface and for the actors that are named; absent: everywhere, for everybody. */
export interface Rule<T extends Terms> {
  readonly action: T['action']
  readonly surface?: T['surface']
  readonly actors?: readonly T['actor'][]
  readonly from: Readonly<Partial<Record<T['status'], Outcome<T>>>>
}

export interface LifecycleDefinition<T extends Terms> {
  readonly statuses: readonly T['status'][]
  readonly rules: readonly Rule<T>[]
  readonly conditions: Readonly<Record<T['code'], Condition<T>>>
  /** The code for every status that a rule leaves out. Without it, each rule names each status. */
  readonly otherwise?: T['code']
}

/** As whom somebody asks; one person can be several actors. */
export interface Part<T extends Terms> {
  readonly surface?: T['surface']
  readonly actors?: readonly T['actor'][]
}

/** What becomes of an action. `forbidden`: no rule has it for this part, whatever the status. */
export type Decision<T extends Terms> = Outcome<T> | Refused<'forbidden'>

export interface CompleteRule<T extends Terms> extends Rule<T> {
  readonly from: Readonly<Record<T['status'], Outcome<T>>>
}

export interface Lifecycle<T extends Terms> extends LifecycleDefinition<T> {
  /** Each names each status. */
  readonly rules: readonly CompleteRule<T>[]
  /** Each once, in the order of the rules. */
  readonly actions: readonly T['action'][]
  readonly decide: (action: T['action'], situation: Situation<T>, part?: Part<T>) => Decision<T>
  /** @throws AppError 403 for a part that never has the action; 400 with the reason and what is allowed instead. */
  readonly permit: (action: T['action'], situation: Situation<T>, part?: Part<T>) => Move<T>
  readonly allowedActions: (situation: Situation<T>, part?: Part<T>) => T['action'][]
  /** Actions that the part has, but not now: action → reason. */
  readonly blockedActions: (situation: Situation<T>, part?: Part<T>) => Partial<Record<T['action'], string>>
  /** Why a condition refuses an action, for people. */
  readonly reasonOf: (code: T['code'], action: T['action'], situation: Situation<T>, part?: Part<T>) => string
  /** Every condition that can refuse something to the part in a status: those whose facts have to be known. */
  readonly conditionsOf: (status: T['status'], part?: Part<T>) => ReadonlySet<T['code']>
}

/**
 * Makes a life cycle of its table: what it decides, allows and refuses.
 * @throws Error for a rule that leaves out a status when no code stands for that.
 */
export const makeLifecycle = <T extends Terms>(definition: LifecycleDefinition<T>): Lifecycle<T> => {
  const { conditions } = definition
  const rules = definition.rules.map((rule) => completed(rule, definition))
  const rulesOf = (part: Part<T>) => rules.filter((rule) => isFor(rule, part))

  const outcomeOf = (rule: CompleteRule<T>, situation: Situation<T>): Outcome<T> => {
    const outcome: Outcome<T> = rule.from[situation.status]
    if ('refused' in outcome) return outcome
    const refused = outcome.conditions?.find((code: T['code']) => conditions[code].applies?.(situation) === true)
    return refused === undefined ? outcome : { refused }
  }
  const decide = (action: T['action'], situation: Situation<T>, part: Part<T> = {}): Decision<T> => {
    const rule = rulesOf(part).find((one) => one.action === action)
    return rule === undefined ? { refused: 'forbidden' } : outcomeOf(rule, situation)
  }
  const allowedActions = (situation: Situation<T>, part: Part<T> = {}): T['action'][] =>
    rulesOf(part).flatMap((rule) => ('refused' in outcomeOf(rule, situation) ? [] : [rule.action]))

  const reasonOf = (code: T['code'], action: T['action'], situation: Situation<T>, part: Part<T> = {}): string => {
    const { says, details } = conditions[code]
    const words = {
      status: situation.status,
      action,
      allowed: allowedActions(situation, part).join(', ') || 'nothing else',
      from: anyOf(statusesOf(rulesOf(part).filter((rule) => rule.action === action))),
    }
    const text = says.replaceAll(/\{(status|action|allowed|from)\}/g, (_, word: keyof typeof words) => words[word])
    const more = details?.(situation) ?? []
    return more.length === 0 ? text : `${text.replace(/\.$/, '')}: ${more.join(', ')}.`
  }

  return {
    ...definition,
    rules,
    actions: [...new Set(rules.map(({ action }) => action))],
    decide,
    allowedActions,
    reasonOf,
    permit(action, situation, part) {
      const decision = decide(action, situation, part)
      if (!('refused' in decision)) return decision
      const { refused } = decision
      if (refused === 'forbidden') throw forbidden()
      throw ruleBroken(refused, reasonOf(refused, action, situation, part), allowedActions(situation, part))
    },
    blockedActions(situation, part = {}) {
      const blocked: Partial<Record<T['action'], string>> = {}
      for (const rule of rulesOf(part)) {
        const action: T['action'] = rule.action
        const outcome = outcomeOf(rule, situation)
        if ('refused' in outcome) blocked[action] = reasonOf(outcome.refused, action, situation, part)
      }
      return blocked
    },
    conditionsOf: (status, part = {}) =>
      new Set(rulesOf(part).flatMap(({ from: { [status]: outcome } }) => conditionsIn(outcome))),
  }
}

const completed = <T extends Terms>(
  rule: Rule<T>,
  { statuses, otherwise }: LifecycleDefinition<T>,
): CompleteRule<T> => {
  const gap = statuses.find((status) => rule.from[status] === undefined)
  if (gap !== undefined && otherwise === undefined) throw new Error(`The rule of ${rule.action} leaves out ${gap}.`)
  const from = statuses.map((status) => [status, rule.from[status] ?? { refused: otherwise }])
  return { ...rule, from: Object.fromEntries(from) as CompleteRule<T>['from'] }
}

/** The statuses in which rules do not refuse. */
const statusesOf = <T extends Terms>(rules: readonly CompleteRule<T>[]): string[] =>
  rules.flatMap(({ from }) =>
    Object.entries<Outcome<T>>(from).flatMap(([status, to]) => ('refused' in to ? [] : [status])),
  )

const anyOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ')

const isFor = <T extends Terms>(rule: Rule<T>, { surface, actors = [] }: Part<T>): boolean =>
  (rule.surface === undefined || rule.surface === surface) &&
  (rule.actors === undefined || rule.actors.some((actor) => actors.includes(actor)))

const conditionsIn = <T extends Terms>(outcome: Outcome<T>): readonly T['code'][] =>
  'refused' in outcome ? [] : (outcome.conditions ?? [])
