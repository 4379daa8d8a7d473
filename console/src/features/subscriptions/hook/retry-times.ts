import type { Schema } from '#api/types.ts'

export type Choice = Schema<'Hook'>['retry_countdown_config']['choice']
/** Parameters by name, in seconds; one that is undefined is left out. */
export type Kwargs = Readonly<Record<string, number | undefined>>

/** What each choice takes, with what its bare name means. */
export const defaultKwargs: Readonly<Record<Choice, Kwargs>> = {
  fixed: { seconds: 60 },
  linear: { base: 60, limit: 3_600 },
  exponential: { base: 2, factor: 15, limit: 21_600 },
  random: { min_value: 30, max_value: 600 },
}

/** Parameters that can be left out. */
export const optionalKwargs: ReadonlySet<string> = new Set(['limit', 'factor'])

/** Attempts of a delivery unless the server was set otherwise (MAX_ATTEMPTS). */
export const usualAttempts = 18

/** No wait is longer than a week. */
const maxSeconds = 604_800

const value = (kwargs: Kwargs, name: string, otherwise = 0): number => kwargs[name] ?? otherwise

/** Seconds before retry n, as they are without the random part; a random wait counts with its mean. */
const waitBefore = (choice: Choice, kwargs: Kwargs, n: number): number => {
  const limit = value(kwargs, 'limit', Infinity)
  switch (choice) {
    case 'fixed':
      return value(kwargs, 'seconds')
    case 'linear':
      return Math.min(value(kwargs, 'base') * n, limit)
    case 'exponential': {
      const factor = value(kwargs, 'factor', 1)
      return factor === 0 ? 0 : Math.min(factor * value(kwargs, 'base') ** n, limit)
    }
    case 'random':
      return (value(kwargs, 'min_value') + value(kwargs, 'max_value')) / 2
  }
}

/**
 * When each retry happens, in seconds after the first attempt that failed.
 * @param attempts how often it is tried in all
 */
export const retryTimes = (choice: Choice, kwargs: Kwargs, attempts: number): readonly number[] => {
  let at = 0
  return Array.from({ length: Math.max(0, attempts - 1) }, (_, index) => {
    at += Math.min(waitBefore(choice, kwargs, index + 1), maxSeconds)
    return at
  })
}
