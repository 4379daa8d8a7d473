import { newUuid } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tooManyRequests } from '#platform/errors.ts'
import { keptMs, type Export, type ExportRequest } from './export.ts'
import { countUnfinished, insertExport, lockRequester } from './store.ts'

/** Exports of a person that are not finished: the next one of somebody else waits for no more of them. */
const maxUnfinished = 5
const unfinishedSeconds = 10

/** Makes the function that has an export made. It throws AppError 429. */
export const makeAskForExport =
  ({ db, clock, start }: { db: Db; clock: Clock; start: (tx: Tx, exportId: number) => Promise<void> }) =>
  (request: ExportRequest): Promise<Export> =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockRequester(tx, request.userId)
      if ((await countUnfinished(tx, request.userId, now)) >= maxUnfinished) {
        const message = `${maxUnfinished} of your exports are not finished yet. Ask again when one of them is.`
        throw tooManyRequests(message, maxUnfinished, unfinishedSeconds)
      }
      const made = { cacheKey: newUuid(), createdAt: now, expiresAt: new Date(now.getTime() + keptMs) }
      const asked = await insertExport(tx, request, made)
      await start(tx, asked.id)
      return asked
    })
