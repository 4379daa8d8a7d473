import type { Tx } from '#platform/db/database.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { exportsOf } from './store.ts'

/** Exports of a person that are not finished: the next one of somebody else waits for no more of them. */
const mostUnfinished = 5
const unfinishedSeconds = 10
/** Files of a person that are kept, in bytes: a disk has room for those of others. */
const mostKeptBytes = 5 * 1024 ** 3

/** The caller has seen to it that nobody else asks as the same person meanwhile. @throws AppError 429. */
export const requireFewExports = async (tx: Tx, userId: number, now: Date): Promise<void> => {
  const { unfinished, keptBytes, nextExpiry } = await exportsOf(tx, userId, now)
  if (unfinished >= mostUnfinished) {
    const message = `${mostUnfinished} of your exports are not finished yet. Ask again when one of them is.`
    throw tooManyRequests(message, mostUnfinished, unfinishedSeconds)
  }
  if (keptBytes >= mostKeptBytes && nextExpiry !== null) {
    const seconds = Math.max(1, Math.ceil((nextExpiry.getTime() - now.getTime()) / 1000))
    const message = `Your exports of the last 24 hours take ${(keptBytes / 1024 ** 3).toFixed(1)} GiB. The first of them is removed in ${seconds} seconds.`
    throw tooManyRequests(message, mostKeptBytes, seconds)
  }
}
