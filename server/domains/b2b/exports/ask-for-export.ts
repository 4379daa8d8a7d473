import { newUuid } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { keptMs, sharedMs, type Export, type ExportRequest } from './export.ts'
import { requireFewExports } from './export-limit.ts'
import { findSame, insertExport, lockAsker } from './store.ts'

export interface AskDeps {
  readonly db: Db
  readonly clock: Clock
  /** Has an export made, once `tx` has committed. */
  readonly start: (tx: Tx, exportId: number) => Promise<void>
}

/** Makes the function that has an export made, unless the same person asked for the same within the last minute. It throws AppError 429. */
export const makeAskForExport =
  ({ db, clock, start }: AskDeps) =>
  (request: ExportRequest): Promise<Export> =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockAsker(tx, request.userId)
      const same = await findSame(tx, request, new Date(now.getTime() - sharedMs))
      if (same !== undefined) return same
      await requireFewExports(tx, request.userId, now)
      const made = { cacheKey: newUuid(), createdAt: now, expiresAt: new Date(now.getTime() + keptMs) }
      const asked = await insertExport(tx, request, made)
      await start(tx, asked.id)
      return asked
    })
