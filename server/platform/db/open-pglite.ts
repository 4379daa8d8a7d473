import { CommitGroup } from './commit-group.ts'
import { copyAtOnce } from './copy-out.ts'
import type { Database } from './database.ts'
import { PgliteProcess } from './pglite-process.ts'
import { PgliteStream } from './pglite-stream.ts'
import type { PgliteStart } from './pglite-thread.ts'
import { databaseOver, kyselyOver, openPool } from './pool-database.ts'

/** The embedded database, which can also be copied whole. */
export interface EmbeddedDatabase extends Database {
  /** The data directory as a tar file; `loadDataDir` starts from it. */
  dump(): Promise<Uint8Array>
}

/**
 * Opens the embedded PostgreSQL: one connection, so a transaction has the database to itself. What it answers is on the
 * disk, when it has a directory. One process at a time: the caller holds the directory's lock.
 * @param pglite the thread, when it was started before.
 */
export const openPglite = async (start: PgliteStart, pglite = new PgliteProcess(start)): Promise<EmbeddedDatabase> => {
  await pglite.opened
  const pool = await openPool({ max: 1, idleTimeoutMillis: 0, stream: () => new PgliteStream(pglite) })
  const commits = new CommitGroup(pglite, pool)
  const durable = (): Promise<void> => commits.durable()
  const database = databaseOver(pool, 'pglite', durable)
  return {
    ...database,
    unsynced: kyselyOver({ connect: () => commits.connectUnsynced(), end: () => pool.end() }),
    copyOut: copyAtOnce(pool, durable),
    load: () => {
      const load = database.load()
      return { ...load, waiting: load.waiting + pglite.unanswered }
    },
    // Nobody else can be connected who could notify.
    listen: async () => async () => undefined,
    dump: () => pglite.dump(),
    close: async () => {
      await database.close()
      await pglite.close()
      commits.settle()
    },
  }
}
