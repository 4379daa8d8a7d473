import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import type { RunScript } from '#platform/db/database.ts'
import { createHistory, migrationLock, type Migration } from '#platform/db/migrate.ts'
import { CommandFailure } from '../../failure.ts'
import { textSettings } from './tables.ts'

/** The PostgreSQL that everything moves to: one connection with one transaction, so it has all or nothing. */
export interface Target {
  readonly client: pg.Client
  readonly run: RunScript
  isEmpty(): Promise<boolean>
}

const oldestVersion = 150_000

/** @throws CommandFailure when it cannot be reached, or is too old. */
export const openTarget = async (url: string): Promise<Target> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    throw new CommandFailure(`The PostgreSQL cannot be reached: ${message === '' ? code : message}.`)
  }
  const run: RunScript = async (sql, parameters) => {
    // A script of many statements takes no parameters.
    const { rows } = await (parameters === undefined ? client.query(sql) : client.query(sql, [...parameters]))
    return (rows ?? []) as Record<string, unknown>[]
  }
  await run(textSettings)
  const [version] = await run(`select current_setting('server_version_num')::int as number`)
  if (Number(version?.['number']) < oldestVersion) {
    await client.end()
    throw new CommandFailure('The PostgreSQL is too old: it has to be 15 or newer.')
  }
  const isEmpty = async (): Promise<boolean> => {
    const [row] = await run(`
      select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`)
    return row?.['count'] === 0
  }
  return { client, run, isEmpty }
}

/** The schema of this version without rows, partitions, foreign keys and triggers that would act on what is copied. */
export const makeSchema = async (
  { run }: Target,
  migrations: readonly Migration[],
  partitions: ReadonlyMap<string, string>,
  present: (run: RunScript) => Promise<ReadonlyMap<string, string>>,
): Promise<() => Promise<void>> => {
  await run(createHistory)
  for (const { sql } of migrations) await run(sql)
  await run(`create schema if not exists jobs`)
  await run(getConstructionPlans('jobs').replaceAll(/^\s*(BEGIN|COMMIT);\s*$/gim, ''))
  const there = await present(run)
  for (const name of there.keys()) if (!partitions.has(name)) await run(`drop table ${name}`)
  for (const [name, statement] of partitions) if (!there.has(name)) await run(statement)
  return suspendRules(run)
}

/** @returns what puts foreign keys and triggers back, and so checks every row. */
const suspendRules = async (run: RunScript): Promise<() => Promise<void>> => {
  const keys = await run(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and conparentid = 0`)
  const tables = await run(`
    select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgparentid = 0`)
  const seeded = await run(`
    select string_agg(format('%I.%I', schemaname, tablename), ', ') as names from pg_tables
    where schemaname in ('public', 'jobs')`)
  for (const { drop } of keys) await run(String(drop))
  for (const { name } of tables) await run(`alter table ${String(name)} disable trigger user`)
  await run(`truncate ${String(seeded[0]?.['names'])}`)
  return async () => {
    for (const { name } of tables) await run(`alter table ${String(name)} enable trigger user`)
    for (const { add } of keys) await run(String(add))
  }
}

/** Servers that start on the same database meanwhile wait for this, as they do for each other. */
export const waitForOthers = ({ run }: Target): Promise<unknown> =>
  run('select pg_advisory_xact_lock($1)', [migrationLock])
