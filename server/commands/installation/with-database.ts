import { existsSync } from 'node:fs'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { openDatabase } from '#platform/db/open.ts'
import { databaseDirectory, loadConfig, startEmbedded } from '../../start-early.ts'

/**
 * Opens the database that the settings name, and closes it when the work is done.
 * @param mayBeMade whether an embedded one is made where there is none.
 */
export const withDatabase = async (
  { mayBeMade }: { readonly mayBeMade: boolean },
  work: (database: Database, config: Config) => Promise<void>,
): Promise<void> => {
  const config = loadConfig()
  const directory = databaseDirectory(config)
  if (config.DATABASE_URL === undefined && !mayBeMade && !existsSync(directory))
    throw new Error(`There is no database in ${config.DATA_DIR}. Is DATA_DIR the right one?`)
  const pglite = await startEmbedded('all', config)
  const database = await openDatabase({ url: config.DATABASE_URL, directory, pglite, poolSize: 2 })
  try {
    await work(database, config)
  } finally {
    await database.close()
  }
}
