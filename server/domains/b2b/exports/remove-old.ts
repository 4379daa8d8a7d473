import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { fileKey, type Export, type ExportFiles } from './export.ts'

import { deleteExports, findExpired } from './store.ts'

export interface RemoveDeps {
  readonly db: Db
  readonly clock: Clock
  readonly files: Pick<ExportFiles, 'remove'>
}

/** Exports of one step. */
const atOnce = 50

/**
 * Makes the function that removes exports whose time is over, their files first: whoever dies in between removes them once
 * more. A try that died after its file was whole has left that too.
 */
export const makeRemoveOld =
  ({ db, clock, files }: RemoveDeps) =>
  async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now()
      const expired = await findExpired(db, now, atOnce)
      for (const one of expired) for (const key of keysOf(one)) await files.remove(key)
      if (expired.length === 0) return
      await deleteExports(
        db,
        expired.map(({ id }) => id),
        now,
      )
    }
  }

const keysOf = (one: Export): string[] => Array.from({ length: one.attempt }, (_, index) => fileKey(one, index + 1))
