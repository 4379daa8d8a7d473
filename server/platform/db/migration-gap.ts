import type { Database } from './database.ts'
import type { Migration } from './migrate.ts'

/** How the schema of a database differs from the one that these files make. */
export interface MigrationGap {
  /** Migrations that the database lacks. All of them when it is empty. */
  readonly missing: readonly string[]
  /** Migrations that it has and these files do not. */
  readonly unknown: readonly string[]
}

/** Compares a database with the migrations and changes nothing. */
export const migrationGap = async (database: Database, migrations: readonly Migration[]): Promise<MigrationGap> => {
  const applied = await database.scriptTransaction(async (run) => {
    const [history] = await run(`select to_regclass('schema_migrations') is not null as exists`)
    return history?.['exists'] === true ? run('select name, checksum from schema_migrations order by version') : []
  })
  const has = new Set(applied.map((row) => `${String(row['name'])} ${String(row['checksum'])}`))
  const known = new Set(migrations.map(({ name, checksum }) => `${name} ${checksum}`))
  return {
    missing: migrations.filter(({ name, checksum }) => !has.has(`${name} ${checksum}`)).map(({ name }) => name),
    unknown: applied
      .filter((row) => !known.has(`${String(row['name'])} ${String(row['checksum'])}`))
      .map((row) => String(row['name'])),
  }
}
