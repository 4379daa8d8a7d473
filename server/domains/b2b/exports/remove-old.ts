import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { fileKey, type ExportFiles } from './export.ts'
import { deleteExports, findExpired } from './store.ts'

/** Exports of one step. */
const atOnce = 50

/** Removes expired exports, the files of all of their tries first: a process that dies in between leaves them to the next run. */
export const makeRemoveOld =
  ({ db, clock, files }: { db: Db; clock: Clock; files: Pick<ExportFiles, 'remove'> }) =>
  async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now()
      const expired = await findExpired(db, now, atOnce)
      if (expired.length === 0) return
      for (const one of expired)
        for (let attempt = 1; attempt <= one.attempt; attempt++) await files.remove(fileKey(one, attempt))
      const ids = expired.map(({ id }) => id)
      await deleteExports(db, ids, now)
    }
  }
