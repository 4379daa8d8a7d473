import type { DeliverySituation, Fact, LoggedAttempt } from './explanation.ts'
import { wordsFor } from './reason-words.ts'

/** What happened to a delivery, as far as it is known. */
export const factsOf = (situation: DeliverySituation): Fact[] => [
  ...origin(situation),
  ...situation.log.map(attemptFact),
  ...lostAttempt(situation),
  ...putBack(situation),
  ...subscriptionFacts(situation),
]

/** Time after an event within which its delivery was made with it. */
const togetherMs = 5_000

const origin = ({ eventType, isDirect, occurredAt, createdAt }: DeliverySituation): Fact[] => {
  const name = eventType ?? 'The event'
  const happened = {
    at: occurredAt,
    what: isDirect ? `${name} was sent to this subscription alone.` : `${name} happened.`,
  }
  const isLate = createdAt.getTime() - occurredAt.getTime() > togetherMs
  return isLate ? [happened, { at: createdAt, what: 'Its delivery was made, by a recovery or a replay.' }] : [happened]
}

const outcomes = { delivered: 'succeeded', retry: 'failed', failed: 'failed', unknown: 'has no known end' } as const

const attemptFact = ({ number, startedAt, outcome, ...ending }: LoggedAttempt): Fact => {
  const { what, more } = wordsFor(ending)
  return { at: startedAt, what: `Attempt ${number} ${outcomes[outcome]}: ${what}.${more}` }
}

/** An attempt that is under way, or whose process died and that no claim has logged yet. */
const lostAttempt = ({ leaseToken, leasedAt, attempts, log }: DeliverySituation): Fact[] =>
  leaseToken === null || leasedAt === null || log.some(({ number }) => number === attempts)
    ? []
    : [{ at: leasedAt, what: `Attempt ${attempts} began.` }]

/** Nobody writes down when; it was after the last attempt that does not count. */
const putBack = ({ attemptsBefore, log }: DeliverySituation): Fact[] => {
  const last = log.findLast(({ number }) => number <= attemptsBefore)
  return last === undefined
    ? []
    : [{ at: last.startedAt, what: `Put back in the queue after attempt ${last.number}: attempts are counted anew.` }]
}

const subscriptionFacts = ({ status, subscription }: DeliverySituation): Fact[] => {
  const { failingSince, failures, disabledAt, deletedAt } = subscription
  const isOpen = status === 'pending' || status === 'held'
  return [
    ...(deletedAt === null ? [] : [{ at: deletedAt, what: 'The subscription was removed.' }]),
    ...(failingSince === null || !isOpen
      ? []
      : [
          {
            at: failingSince,
            what: `${failures === 1 ? 'One failure so far' : `First of ${failures} failures in a row`}, over all deliveries of the subscription.`,
          },
        ]),
    ...(disabledAt === null || !isOpen ? [] : [{ at: disabledAt, what: 'The engine switched the subscription off.' }]),
  ]
}
