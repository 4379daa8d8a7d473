import { matchesPattern } from '../subscriber/matching.ts'
import { moment, offBecause, type Explanation, type SubscriptionState, type Verdict } from './explanation.ts'

/** What is known of an event and a subscription that have no delivery together. */
export interface Absence {
  /** undefined when the event cannot be found. */
  readonly event:
    | {
        readonly type: string
        readonly scope: string
        readonly occurredAt: Date
        /** All that listen, or one subscription alone, which may be the one that is asked about. */
        readonly sentTo: 'listeners' | 'this' | 'another'
        /** Of the filter that the subscription has now; null when that lets it through. */
        readonly unmetConditions: readonly string[] | null
      }
    | undefined
  /** Of an event that cannot be found: its id is older than everything that is kept. */
  readonly isOlderThanKept: boolean
  readonly scope: string
  readonly eventTypes: readonly string[]
  readonly subscription: SubscriptionState
}

/**
 * Time around a change of a subscription within which nobody can say whether an event came before or after
 * it. Events without a delivery that are older than this are made theirs by the engine's own check.
 */
export const uncertainMs = 60_000

type Found = Absence & { readonly event: NonNullable<Absence['event']> }
type Rule = readonly [Verdict, isTrue: (found: Found) => boolean, summary: (found: Found) => string, advice: Advice]
type Advice = string | null | ((found: Found) => string)

const recover = 'recover the subscription since a time before the event.'

const lost = {
  verdict: 'lost',
  summary: 'It should have a delivery and has none. That is a fault of this server: please report it.',
  advice: 'The check that runs every 30 s makes such deliveries by itself.',
} as const

/** In this order: the first that is true is the reason. */
const rules: readonly Rule[] = [
  [
    'subscription_removed',
    ({ subscription }) => subscription.deletedAt !== null,
    ({ event, subscription: { deletedAt } }) =>
      deletedAt !== null && event.occurredAt < deletedAt
        ? `Not delivered; the subscription was removed at ${moment(deletedAt)}.`
        : 'Not delivered, because the subscription had been removed before it happened.',
    null,
  ],
  [
    'other_scope',
    ({ event }) => event.sentTo === 'another',
    () => 'Not for this subscription: it was sent to another one alone.',
    null,
  ],
  // Sent to this one, which does not need to listen, it has a delivery from its beginning.
  ['lost', ({ event }) => event.sentTo === 'this', () => lost.summary, lost.advice],
  [
    'other_scope',
    ({ event, scope }) => event.scope !== scope,
    ({ event, scope }) =>
      `Not for this subscription: the event belongs to ${event.scope}, the subscription to ${scope}.`,
    'Subscribe where the event belongs.',
  ],
  [
    'not_subscribed',
    ({ event, eventTypes }) => !eventTypes.some((pattern) => matchesPattern(event.type, pattern)),
    ({ event, eventTypes }) =>
      `The subscription does not listen to ${event.type}, but to ${eventTypes.join(', ') || 'nothing'}.`,
    ({ event }) => `Subscribe to ${event.type}, then ${recover}`,
  ],
  [
    'subscribed_later',
    ({ event, subscription }) => event.occurredAt <= subscription.createdAt,
    ({ subscription: { createdAt } }) =>
      `It happened before there was this subscription, which was created at ${moment(createdAt)}.`,
    'If another subscription has a delivery of the event, replay that.',
  ],
  [
    'filtered_out',
    ({ event }) => event.unmetConditions !== null,
    ({ event: { type, unmetConditions } }) =>
      `The filter of the subscription leaves this ${type} out. Conditions that do not hold: ` +
      `${unmetConditions?.join(', ')}.`,
    `Change the filter, then ${recover}`,
  ],
  [
    'switched_off_then',
    ({ event, subscription: { isActive, disabledAt, modifiedAt } }) =>
      !isActive && event.occurredAt >= (disabledAt ?? modifiedAt),
    ({ subscription }) => `It happened while the subscription was switched off: ${offBecause(subscription).what}.`,
    'Switch the subscription on, then recover what happened in the meantime.',
  ],
  [
    'not_listening_then',
    ({ event, subscription }) => event.occurredAt.getTime() < subscription.listeningSince.getTime() + uncertainMs,
    ({ subscription: { listeningSince } }) =>
      'The subscription did not listen to it when it happened: it was switched off, or had other events or another ' +
      `filter, until it was changed at ${moment(listeningSince)}.`,
    'Recover the subscription since a time before the event.',
  ],
]

/** Why there is no delivery of an event to a subscription. Pure. */
export const explainAbsence = (absence: Absence): Explanation => {
  const { event, isOlderThanKept } = absence
  if (event === undefined) return { ...(isOlderThanKept ? tooOld : noSuchEvent), next: null, advice: null }
  return { ...reasonOf({ ...absence, event }), next: null }
}

const reasonOf = (found: Found): Pick<Explanation, 'verdict' | 'summary' | 'advice'> => {
  const rule = rules.find(([, isTrue]) => isTrue(found))
  if (rule === undefined) return lost
  const [verdict, , summary, advice] = rule
  return { verdict, summary: summary(found), advice: typeof advice === 'function' ? advice(found) : advice }
}

const tooOld = {
  verdict: 'too_old',
  summary: 'This event is older than the history that is kept, or never was: nothing is known of it.',
} as const
const noSuchEvent = { verdict: 'no_such_event', summary: 'There is no event of this id.' } as const
