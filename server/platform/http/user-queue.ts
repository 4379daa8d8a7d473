import { tooManyRequests } from '../errors.ts'
import type { Write } from './idempotency.ts'

/** Does work for a user after all that the user asked for before. @throws AppError 429 when too much of that waits already. */
export type UserQueue = <T>(userId: number, work: () => Promise<T>) => Promise<T>

/**
 * Makes the requests of each user wait for each other in this process. Whoever waits for a lock in the database holds a connection
 * meanwhile, of which there are few: a user who asks for the same thing many times at once would hold them all.
 * @param maxWaiting requests of a user besides the one that is worked on.
 */
export const makeUserQueue = (maxWaiting: number): UserQueue => {
  const queues = new Map<number, { last: Promise<unknown>; length: number }>()
  return async (userId, work) => {
    const queue = queues.get(userId) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > maxWaiting) throw tooManyWaiting(maxWaiting)
    queues.set(userId, queue)
    queue.length += 1
    const done = queue.last.then(work)
    // The caller of the work gets its error; the next work begins all the same.
    queue.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(userId)
    }
  }
}

/** Runs the writes of a user one after the other: the next takes no connection before the last is answered. */
export const queueWrites = (write: Write, maxWaiting: number): Write => {
  const userQueue = makeUserQueue(maxWaiting)
  return (request, reply, work) => userQueue(request.principal.userId, () => write(request, reply, work))
}

const retryAfterSeconds = 1

const tooManyWaiting = (maxWaiting: number) =>
  tooManyRequests(
    `${maxWaiting} of your requests wait for each other already. Send one after the other.`,
    maxWaiting + 1,
    retryAfterSeconds,
  )
