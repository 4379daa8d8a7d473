import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { plugins } from './plugins.ts'
import type { Database, RunScript, Tables } from './database.ts'

export interface PgliteOptions {
  /** Where the files live; without it the database is in memory. */
  readonly directory?: string
  /** A dumped data directory to start from (tests). */
  readonly loadDataDir?: Blob
}

/** Opens the embedded PostgreSQL. One process at a time: the caller holds the directory's lock. */
export const openPglite = async ({ directory, loadDataDir }: PgliteOptions): Promise<Database & { pglite: PGlite }> => {
  const pglite = await PGlite.create({
    ...(directory === undefined ? {} : { dataDir: directory }),
    ...(loadDataDir === undefined ? {} : { loadDataDir }),
  })
  // The file system of the host is used without fsync whatever this says; off spares the calls.
  await pglite.exec(`set timezone = 'UTC'`)
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }), plugins })

  return {
    engine: 'pglite',
    pglite,
    db,
    scriptTransaction: (work) =>
      pglite.transaction((tx) => {
        const run: RunScript = async (sql, parameters) => {
          if (parameters !== undefined) return (await tx.query<Record<string, unknown>>(sql, [...parameters])).rows
          await tx.exec(sql)
          return []
        }
        return work(run)
      }),
    listen: (channel, onMessage) => pglite.listen(channel, onMessage),
    ping: async () => {
      await pglite.query('select 1')
    },
    close: async () => {
      await db.destroy()
      // Kysely closes the instance only if it ever used it.
      if (!pglite.closed) await pglite.close()
    },
  }
}
