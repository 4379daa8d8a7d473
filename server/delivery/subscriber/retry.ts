/**
 * When a failed delivery is tried again (contract, section 4). Pure: the same attempt, strategy and
 * random number always give the same wait.
 */
export type RetryStrategy =
  | { readonly choice: 'fixed'; readonly kwargs: { readonly seconds: number } }
  | { readonly choice: 'linear'; readonly kwargs: { readonly base: number; readonly limit?: number } }
  | {
      readonly choice: 'exponential'
      readonly kwargs: { readonly base: number; readonly factor?: number; readonly limit?: number }
    }
  | { readonly choice: 'random'; readonly kwargs: { readonly min_value: number; readonly max_value: number } }

export type RetryChoice = RetryStrategy['choice']

/** What a bare name means. */
export const defaultStrategies: { readonly [C in RetryChoice]: Extract<RetryStrategy, { choice: C }> } = {
  fixed: { choice: 'fixed', kwargs: { seconds: 60 } },
  linear: { choice: 'linear', kwargs: { base: 60, limit: 3_600 } },
  exponential: { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 21_600 } },
  random: { choice: 'random', kwargs: { min_value: 30, max_value: 600 } },
}

/** Share of the wait that is added at random, so that receivers do not get all retries at once. */
const jitter = 0.1

/** The longest wait, however the formula grows and jitter included: a week. */
const maxSeconds = 604_800

/**
 * Milliseconds to wait before retry `n` (1 for the first retry).
 * @param random uniform in [0, 1).
 */
export const retryDelayMs = (strategy: RetryStrategy, n: number, random: () => number): number => {
  const seconds = waits[strategy.choice](strategy as never, n, random)
  const spread = strategy.choice === 'linear' || strategy.choice === 'exponential' ? 1 + jitter * random() : 1
  return Math.round(Math.min(seconds * spread, maxSeconds) * 1_000)
}

type Waits = {
  [C in RetryChoice]: (strategy: Extract<RetryStrategy, { choice: C }>, n: number, random: () => number) => number
}

const waits: Waits = {
  fixed: ({ kwargs }) => kwargs.seconds,
  linear: ({ kwargs: { base, limit = Infinity } }, n) => Math.min(base * n, limit),
  exponential: ({ kwargs: { base, factor = 1, limit = Infinity } }, n) =>
    // The power can be Infinity, and 0 · Infinity is not a number.
    factor === 0 ? 0 : Math.min(factor * base ** n, limit),
  random: ({ kwargs: { min_value: low, max_value: high } }, _n, random) =>
    low + Math.floor(random() * (high - low + 1)),
}
