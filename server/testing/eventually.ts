import { vi } from 'vitest'

/**
 * Runs a check again and again until it throws nothing. The time only ends what hangs, so it is long enough for a busy machine.
 * @returns what the check returns.
 * @throws what the check threw last.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 20 })
