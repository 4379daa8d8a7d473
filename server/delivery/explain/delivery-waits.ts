import { moment, nextTokenAt, type DeliverySituation, type Verdict, type WaitsFor } from './explanation.ts'
import { wordsFor, type ReasonWords } from './reason-words.ts'

/** Something that has to be over before a delivery goes out. */
interface Waiting {
  readonly verdict: Verdict
  readonly waitsFor: WaitsFor
  readonly at: Date
  /** Goes on after "Waits until …: ". */
  readonly why: string
  /** Sentences after that, with a space before them. */
  readonly more?: string
  readonly advice: string | null
}

/** What the delivery of an active subscription waits for longest; undefined when it waits for nothing. */
export const longestWaitOf = (situation: DeliverySituation, now: Date): Waiting | undefined =>
  [retryTime, quiet, breaker, rateLimit]
    .flatMap((waitingFor) => waitingFor(situation) ?? [])
    .filter(({ at }) => at > now)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .at(-1)

type WaitingFor = (situation: DeliverySituation) => Waiting | null

const retryTime: WaitingFor = (situation) => {
  const last = lastFailure(situation)
  return {
    verdict: 'retry_scheduled',
    waitsFor: 'retry_time',
    at: situation.nextAttemptAt,
    why: last === undefined ? 'it is not due before' : `attempt ${last.number} failed, because ${last.what}`,
    more: last?.more ?? '',
    advice: last?.advice ?? null,
  }
}

const quiet: WaitingFor = ({ subscription: { holdUntil } }) =>
  holdUntil && {
    verdict: 'asked_for_quiet',
    waitsFor: 'receiver',
    at: holdUntil,
    why: 'the receiver asked to be left alone until then (Retry-After)',
    advice: 'If that comes often, the receiver gets more than it takes: send it less (a hook can have a rate limit).',
  }

const breaker: WaitingFor = (situation) => {
  const { pausedUntil, failures, failingSince } = situation.subscription
  if (pausedUntil === null) return null
  const since = failingSince === null ? '' : ` since ${moment(failingSince)}`
  return {
    verdict: 'paused',
    waitsFor: 'breaker',
    at: pausedUntil,
    why: `the receiver has been failing${since} (${failures === 1 ? 'once' : `${failures} times in a row`}), so it gets one delivery at a time, with pauses`,
    advice: lastFailure(situation)?.advice ?? 'Look at the last attempts of this subscription.',
  }
}

const rateLimit: WaitingFor = ({ subscription }) => {
  const at = nextTokenAt(subscription)
  return (
    at && {
      verdict: 'rate_limited',
      waitsFor: 'rate_limit',
      at,
      why: `the subscription takes ${subscription.ratePerSecond} deliveries a second`,
      advice: null,
    }
  )
}

export const lastFailure = ({ log }: DeliverySituation): (ReasonWords & { readonly number: number }) | undefined => {
  const last = log.findLast(({ outcome }) => outcome === 'retry' || outcome === 'failed')
  return last && { number: last.number, ...wordsFor(last) }
}
