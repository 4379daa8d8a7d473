import { migrate, migrationGap, readMigrations } from '#platform/db/migrate.ts'
import type { JsonFlag } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { withDatabase } from './with-database.ts'

/** waybill migrate: what a start does first, by itself, for those who do it before the start of many processes. */
export const migrateDatabase = ({ json }: JsonFlag): Promise<void> =>
  withDatabase({ mayBeMade: true }, async (database) => {
    const migrations = await readMigrations()
    const { missing } = await migrationGap(database, migrations)
    const applied = await migrate(database, migrations)
    if (json === true) return sayJson({ applied, missing_before: missing.length })
    say(applied.length === 0 ? 'Nothing to do: the schema is that of this version.' : `Applied ${applied.join(', ')}.`)
  })
