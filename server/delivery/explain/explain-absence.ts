import { inOrder, moment, offBecause, type Explanation, type SubscriptionState, type Verdict } from './explanation.ts'

/** Who an event was for: all that listen, or one subscription alone, which may be the one that is asked about. */
export type SentTo = 'listeners' | 'this' | 'another'

interface AbsentEvent {
  readonly type: string
  readonly scope: string
  readonly occurredAt: Date
  readonly sentTo: SentTo
}

/** What is known of an event and a subscription that have no delivery together. */
export interface Absence {
  /** undefined when the event cannot be found. */
  readonly event: AbsentEvent | undefined
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

/** In this order: the first that is true is the reason. */
const rules: readonly (readonly [Verdict, (found: Found) => boolean])[] = [
  ['subscription_removed', ({ subscription }) => subscription.deletedAt !== null],
  ['other_scope', ({ event }) => event.sentTo === 'another'],
  // Sent to this one, which does not need to listen, it has a delivery from its beginning.
  ['lost', ({ event }) => event.sentTo === 'this'],
  ['other_scope', ({ event, scope }) => event.scope !== scope],
  ['subscribed_later', ({ event, subscription }) => event.occurredAt <= subscription.createdAt],
  ['not_subscribed', ({ event, eventTypes }) => !eventTypes.includes(event.type)],
  [
    'switched_off_then',
    ({ event, subscription }) => !subscription.isActive && event.occurredAt >= offSince(subscription),
  ],
  [
    'not_listening_then',
    ({ event, subscription }) => event.occurredAt.getTime() < subscription.listeningSince.getTime() + uncertainMs,
  ],
]

const offSince = ({ disabledAt, modifiedAt }: SubscriptionState): Date => disabledAt ?? modifiedAt

/** Why there is no delivery of an event to a subscription. Pure. */
export const explainAbsence = (absence: Absence): Explanation => {
  const { event } = absence
  if (event === undefined) return absence.isOlderThanKept ? tooOld : noSuchEvent
  const found = { ...absence, event }
  const verdict = rules.find(([, isTrue]) => isTrue(found))?.[0] ?? 'lost'
  const { createdAt, listeningSince, deletedAt } = absence.subscription
  return {
    verdict,
    ...words[verdict as keyof typeof words](found),
    facts: inOrder([
      { at: event.occurredAt, what: `${event.type} happened.` },
      { at: createdAt, what: 'The subscription was created.' },
      ...(listeningSince > createdAt
        ? [{ at: listeningSince, what: 'The subscription was last changed or switched on.' }]
        : []),
      ...(deletedAt === null ? [] : [{ at: deletedAt, what: 'The subscription was removed.' }]),
    ]),
    next: null,
  }
}

const tooOld: Explanation = {
  verdict: 'too_old',
  summary: 'This event is older than the history that is kept, or never was: nothing is known of it.',
  facts: [],
  next: null,
  advice: null,
}
const noSuchEvent: Explanation = {
  verdict: 'no_such_event',
  summary: 'There is no event of this id.',
  facts: [],
  next: null,
  advice: null,
}

const canReplay = 'Replay the event to send it all the same.'

type Words = Pick<Explanation, 'summary' | 'advice'>
const words = {
  subscription_removed: ({ event, subscription: { deletedAt } }: Found): Words => ({
    summary:
      deletedAt !== null && event.occurredAt < deletedAt
        ? `Not delivered; the subscription was removed at ${moment(deletedAt)}.`
        : 'Not delivered, because the subscription had been removed before it happened.',
    advice: null,
  }),
  other_scope: ({ event, scope }: Found): Words =>
    event.sentTo === 'another'
      ? { summary: 'Not for this subscription: it was sent to another one alone.', advice: null }
      : {
          summary: `Not for this subscription: the event belongs to ${event.scope}, the subscription to ${scope}.`,
          advice: 'Subscribe where the event belongs.',
        },
  subscribed_later: ({ subscription: { createdAt } }: Found): Words => ({
    summary: `It happened before there was this subscription, which was created at ${moment(createdAt)}.`,
    advice: canReplay,
  }),
  not_subscribed: ({ event, eventTypes }: Found): Words => ({
    summary: `The subscription does not listen to ${event.type}, but to ${eventTypes.join(', ') || 'nothing'}.`,
    advice: `Subscribe to ${event.type}, then replay the event.`,
  }),
  switched_off_then: ({ subscription }: Found): Words => ({
    summary: `It happened while the subscription was switched off: ${offBecause(subscription).what}.`,
    advice: 'Switch the subscription on, then recover what happened in the meantime.',
  }),
  not_listening_then: ({ subscription: { listeningSince } }: Found): Words => ({
    summary:
      'The subscription did not listen to it when it happened: it was switched off or subscribed to other events ' +
      `until it was changed at ${moment(listeningSince)}.`,
    advice: `Recover the subscription since then, or replay the event.`,
  }),
  lost: (): Words => ({
    summary: 'It should have a delivery and has none. That is a fault of this server: please report it.',
    advice: `The check that runs every 30 s makes such deliveries by itself. ${canReplay}`,
  }),
}
