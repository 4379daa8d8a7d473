const seconds = 1_000
const minutes = 60 * seconds

/** Waits after a try that failed, in milliseconds: after the first one, the second, and so on; the last one from then on. */
const waitsMs = [30 * seconds, 1 * minutes, 2 * minutes, 5 * minutes, 15 * minutes, 30 * minutes, 60 * minutes] as const

/** After so many tries an order is tried again only when somebody asks for it. They take about 14 hours. */
export const maxAttempts = 20

/**
 * When an order is tried again by itself.
 * @param attempts tries so far, at least 1.
 * @returns null: not by itself.
 */
export const nextAttempt = (attempts: number, now: Date): Date | null =>
  attempts >= maxAttempts ? null : new Date(now.getTime() + (waitsMs[attempts - 1] ?? waitsMs[waitsMs.length - 1] ?? 0))
