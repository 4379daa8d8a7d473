import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database, RunScript } from './database.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** Any number will do; it only has to be the same in every process that migrates this database. */
export const migrationLock = 7_239_120_461

/** Where a database notes what was applied to it. */
export const createHistory = `
  create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`

/** Where those of this version are. */
const ownDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The numbered files `0001_name.sql` of a directory, in order. Throws when a number is missing or doubled. */
export const readMigrations = async (directory = ownDirectory): Promise<Migration[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4))
      if (version !== index + 1) throw new Error(`Migration ${file} should be number ${index + 1}.`)
      const sql = await readFile(join(directory, file), 'utf8')
      return { version, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies what is missing, each migration in a transaction of its own. Any number of processes may
 * call this at once: an advisory lock makes them take turns, and each looks again after its turn came.
 * @returns the names applied by this call.
 * @throws when an applied file was edited, or the database is newer than these files.
 */
export const migrate = async (database: Database, migrations: readonly Migration[]): Promise<string[]> => {
  const applied: string[] = []
  for (;;) {
    const name = await database.scriptTransaction((run) => applyNext(run, migrations))
    if (name === undefined) return applied
    applied.push(name)
  }
}

const applyNext = async (run: RunScript, migrations: readonly Migration[]): Promise<string | undefined> => {
  await run('select pg_advisory_xact_lock($1)', [migrationLock])
  await run(createHistory)
  const history = await run('select version, name, checksum from schema_migrations order by version', [])
  for (const row of history) refuseDrift(row, migrations)

  const next = migrations[history.length]
  if (next === undefined) return undefined
  await run(next.sql)
  await run('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    next.version,
    next.name,
    next.checksum,
  ])
  return next.name
}

const refuseDrift = (row: Record<string, unknown>, migrations: readonly Migration[]): void => {
  const known = migrations.find((migration) => migration.version === row['version'])
  if (known === undefined) {
    throw new Error(
      `The database has migration ${String(row['name'])}, which this version does not know: start a newer version.`,
    )
  }
  if (known.checksum !== row['checksum']) {
    throw new Error(
      `Migration ${known.name} was changed after it was applied. Restore the file and add a new migration.`,
    )
  }
}

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
