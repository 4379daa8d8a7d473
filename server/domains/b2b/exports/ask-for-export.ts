import { newUuid } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { keptMs, sharedMs, type Export, type ExportRequest } from './export.ts'
import { exportsOf, findSame, insertExport, lockRequester } from './store.ts'

/** Makes the function that has an export made, unless the same person asked for the same within the last minute. It throws AppError 429. */
export const makeAskForExport =
  ({ db, clock, start }: { db: Db; clock: Clock; start: (tx: Tx, exportId: number) => Promise<void> }) =>
  (request: ExportRequest): Promise<Export> =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockRequester(tx, request.userId)
      const same = await findSame(tx, request, new Date(now.getTime() - sharedMs))
      if (same !== undefined) return same
      await requireFewExports(tx, request.userId, now)
      const made = { cacheKey: newUuid(), createdAt: now, expiresAt: new Date(now.getTime() + keptMs) }
      const asked = await insertExport(tx, request, made)
      await start(tx, asked.id)
      return asked
    })

/** Exports of a person that are not finished: the next one of somebody else waits for no more of them. */
const maxUnfinished = 5
const unfinishedSeconds = 10
/** Files of a person that are kept, in bytes: a disk has room for those of others. */
const maxKeptBytes = 5 * 1024 ** 3

/** The caller has seen to it that nobody else asks as the same person meanwhile. @throws AppError 429. */
const requireFewExports = async (tx: Tx, userId: number, now: Date): Promise<void> => {
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
