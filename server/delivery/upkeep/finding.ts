/** What is checked, and what it means when it is not so: `of` says whose ids the examples are. */
export const checks = {
  delivery_missing: { of: 'event', meaning: 'an event has no delivery for a subscription that listens to it' },
  delivery_doubled: { of: 'event', meaning: 'an event has two deliveries for one subscription' },
  lease_too_long: { of: 'delivery', meaning: 'a delivery is reserved for longer than any attempt lasts' },
  lease_without_end: { of: 'delivery', meaning: 'a delivery is reserved without saying until when' },
  due_too_late: { of: 'delivery', meaning: 'a delivery waits for longer than any retry does' },
  event_missing: { of: 'delivery', meaning: 'a delivery waits, but there is nothing to send: its event is gone' },
  subscription_ended: { of: 'delivery', meaning: 'a delivery waits for a subscription that has ended' },
  end_missing: { of: 'delivery', meaning: 'a delivery is closed and does not say when' },
  attempt_missing: { of: 'delivery', meaning: 'a delivery is delivered, and no attempt shows it' },
  redelivery_stuck: { of: 'redelivery', meaning: 'a redelivery is running and does not get on' },
} as const satisfies Record<string, { of: string; meaning: string }>

export type CheckName = keyof typeof checks

export const checkNames = Object.keys(checks) as CheckName[]

/** What one check came to. */
export interface Finding {
  readonly check: CheckName
  readonly found: number
  readonly repaired: number
  /** Ids of the first few, see `checks`. */
  readonly examples: readonly number[]
}

export const maxExamples = 10

export const noneFound = (check: CheckName): Finding => ({ check, found: 0, repaired: 0, examples: [] })

/** The findings of several looks as one for each check, in the order of `checks`. */
export const addUp = (findings: readonly Finding[]): Finding[] => {
  const sums = new Map(checkNames.map((check) => [check, noneFound(check)]))
  for (const { check, found, repaired, examples } of findings) {
    const sum = sums.get(check) ?? noneFound(check)
    sums.set(check, {
      check,
      found: sum.found + found,
      repaired: sum.repaired + repaired,
      examples: [...sum.examples, ...examples].slice(0, maxExamples),
    })
  }
  return [...sums.values()]
}
