import { tooManyRequests } from './errors.ts'

/** Does work for somebody after all that was asked for them before. @throws AppError 429 when too much of that waits already. */
export type InTurn = <T>(key: number, work: () => Promise<T>) => Promise<T>

/**
 * Makes those who ask under one key take turns in this process. Whoever waits for a lock in the database holds a connection
 * meanwhile, of which there are few: one caller who asks for the same thing many times at once would hold them all.
 * @param mostWaiting besides the one whose turn it is.
 */
export const makeTurns = (mostWaiting: number): InTurn => {
  const lines = new Map<number, { last: Promise<unknown>; length: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (line.length > mostWaiting) throw tooManyAtOnce(mostWaiting)
    lines.set(key, line)
    line.length += 1
    const turn = line.last.then(work)
    // An error is told to whoever asked for the work; the next one begins all the same.
    line.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    }
  }
}

const retryAfterSeconds = 1

const tooManyAtOnce = (mostWaiting: number) =>
  tooManyRequests(
    `${mostWaiting} of your requests wait for each other already. Send one after the other.`,
    mostWaiting + 1,
    retryAfterSeconds,
  )
