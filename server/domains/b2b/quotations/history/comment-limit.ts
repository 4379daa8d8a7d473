import type { Tx } from '#platform/db/database.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { lockCommenter, recentComments } from './comment-store.ts'

/** Comments that a user writes in the window, on whatever quotations. Each is an event, and may be an e-mail to somebody. */
const mostComments = 30
const windowMs = 10 * 60_000

/** Others who comment as the same user wait until the transaction ends. @throws AppError 429. */
export const requireFewComments = async (tx: Tx, userId: number, now: Date): Promise<void> => {
  await lockCommenter(tx, userId)
  const recent = await recentComments(tx, userId, new Date(now.getTime() - windowMs), mostComments)
  const mustPass = recent[mostComments - 1]
  if (mustPass === undefined) return
  const seconds = Math.max(1, Math.ceil((mustPass.getTime() + windowMs - now.getTime()) / 1000))
  throw tooManyRequests(`Too many comments. Write the next one in ${seconds} seconds.`, mostComments, seconds)
}
