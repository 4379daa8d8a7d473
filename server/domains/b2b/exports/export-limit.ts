import type { Tx } from '#platform/db/database.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { exportsOf } from './store.ts'

/** Exports of a person that are not finished: the next one of somebody else waits for no more of them. */
const maxUnfinished = 5
const unfinishedSeconds = 10
/** Files of a person that are kept, in bytes: a disk has room for those of others. */
const maxKeptBytes = 5 * 1024 ** 3

/** The caller has seen to it that nobody else asks as the same person meanwhile. @throws AppError 429. */
export const requireFewExports = async (tx: Tx, userId: number, now: Date): Promise<void> => {
  const { unfinished, keptBytes, nextExpiry } = await exportsOf(tx, userId, now)
  if (unfinished >= maxUnfinished) {
    const message = `${maxUnfinished} of your exports are not finished yet. Ask again when one of them is.`
    throw tooManyRequests(message, maxUnfinished, unfinishedSeconds)
  }
  if (keptBytes >= maxKeptBytes && nextExpiry !== null) {
    const seconds = Math.max(1, Math.ceil((nextExpiry.getTime() - now.getTime()) / 1000))
    const message = `Your exports of the last 24 hours take ${(keptBytes / 1024 ** 3).toFixed(1)} GiB. The first of them is removed in ${seconds} seconds.`
    throw tooManyRequests(message, maxKeptBytes, seconds)
  }
}
