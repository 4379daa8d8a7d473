import { existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { from as copyFrom } from 'pg-copy-streams'
import { checkSecretKey } from '#platform/crypto/check-secret-key.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Database, RunScript } from '#platform/db/database.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import { openServerContext } from '../../../open-server-context.ts'
import { databaseDirectory, loadConfig, startEmbedded } from '../../../start-early.ts'
import { CommandFailure, exitCodes } from '../../failure.ts'
import type { JsonFlag } from '../../flags.ts'
import { note, say, sayJson } from '../../output.ts'
import { leaveBehind } from './leave-behind.ts'
import { listSequences, listTables, partitionsOf, sumOf, textSettings, type Sum, type Table } from './tables.ts'
import { makeSchema, openTarget, waitForOthers, type Target } from './target.ts'

/**
 * waybill move-to postgres://…: everything of the embedded database into an empty PostgreSQL, in one transaction there. It may be
 * killed at any time and run again: until the commit the PostgreSQL is empty, and after it the same check as before it finds
 * that everything is there.
 */
export const moveTo = async ({ json }: JsonFlag, url: string): Promise<void> => {
  const config = loadConfig()
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new CommandFailure(
      'Name the PostgreSQL as postgres://user:password@host:5432/database.',
      exitCodes.wrongUsage,
    )
  if (config.DATABASE_URL !== undefined)
    throw new CommandFailure(
      'The settings name a PostgreSQL already: leave DATABASE_URL out to move what is in DATA_DIR.',
    )
  if (!existsSync(databaseDirectory(config)))
    throw new CommandFailure(`There is no database in ${config.DATA_DIR}. Is DATA_DIR the right one?`)
  const context = await openServerContext('all', config, await startEmbedded('all', config, { mayHaveMoved: true }))
  let target: Target | undefined
  try {
    const opened = await openTarget(url)
    target = opened
    await checkSecretKey(context.database.db, makeVault(context.secretKey, context.previousSecretKeys))
    const moved = await context.database.scriptTransaction((source) => move(context.database, source, opened))
    const file = leaveBehind(config.DATA_DIR, url, [context.secretKey, ...(context.previousSecretKeys ?? [])])
    if (json === true) return sayJson({ ...moved, settings: file })
    say(
      `${moved.isNew ? 'Moved' : 'It was moved before:'} ${moved.rows} rows in ${moved.tables} tables, and all of them are the same there.`,
    )
    say(
      `Start with the settings in ${file}, which has the secret key in it. A start on this DATA_DIR without DATABASE_URL is refused from now on.`,
    )
  } finally {
    await target?.client.end()
    await context.database.close()
  }
}

interface Moved {
  readonly isNew: boolean
  readonly tables: number
  readonly rows: number
}

const move = async (database: Database, source: RunScript, target: Target): Promise<Moved> => {
  await source(textSettings)
  const tables = await listTables(source)
  await target.run('begin')
  await waitForOthers(target)
  const isNew = await target.isEmpty()
  if (isNew) await fill(database, source, target, tables)
  const sums = await compare(source, target, tables, isNew)
  await target.run('commit')
  if (isNew) await target.run('analyze')
  return { isNew, tables: tables.length, rows: sums.reduce((all, { rows }) => all + Number(rows), 0) }
}

const fill = async (database: Database, source: RunScript, target: Target, tables: readonly Table[]): Promise<void> => {
  const finish = await makeSchema(target, await readMigrations(), await partitionsOf(source), partitionsOf)
  for (const [index, table] of tables.entries()) {
    await copyTable(source, target, table)
    if (table.pages > pagesAtOnce) note(`${index + 1} of ${tables.length}: ${table.name}`)
  }
  for (const { name, value, called } of await listSequences(source))
    await target.run('select setval($1, $2::bigint, $3)', [name, value, called])
  await finish()
}

/** 8 MB of rows, and what they keep elsewhere: the embedded database makes the whole answer of a statement at once. */
const pagesAtOnce = 1_000

const copyTable = async (source: RunScript, { client }: Target, { name, columns, pages }: Table): Promise<void> => {
  for (let page = 0; page === 0 || page < pages; page += pagesAtOnce) {
    const rows = await source(
      `select ${columns
        .split(', ')
        .map((column) => `${column}::text`)
        .join(', ')} from ${name}
       where ctid >= '(${page},0)' and ctid < '(${page + pagesAtOnce},0)'`,
    )
    if (rows.length === 0) continue
    await pipeline(
      (rows as Record<string, string | null>[]).map(lineOf),
      client.query(copyFrom(`copy ${name} (${columns}) from stdin`)),
    )
  }
}

/** A row in the text format of COPY. */
const lineOf = (row: Readonly<Record<string, string | null>>): string =>
  `${Object.values(row)
    .map((value) => (value === null ? '\\N' : value.replaceAll(/[\\\n\r\t]/g, (found) => escapes[found] ?? found)))
    .join('\t')}\n`
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** @throws CommandFailure when anything is not the same. Nothing of it stays where this is a first time. */
const compare = async (source: RunScript, target: Target, tables: readonly Table[], isNew: boolean): Promise<Sum[]> => {
  const refuse = (what: string): never => {
    throw new CommandFailure(
      isNew
        ? `Nothing was moved: ${what} is not the same after it was copied. That is a bug: report it.`
        : `The PostgreSQL is not empty, and not what was moved from here: ${what} differs. Name a new database.`,
    )
  }
  if (!isDeepStrictEqual((await listTables(target.run)).map(shapeOf), tables.map(shapeOf))) refuse('the list of tables')
  const sums: Sum[] = []
  for (const table of tables) {
    const sum = await sumOf(source, table)
    if (!isDeepStrictEqual(await sumOf(target.run, table), sum)) refuse(table.name)
    sums.push(sum)
  }
  if (!isDeepStrictEqual(await listSequences(target.run), await listSequences(source))) refuse('a sequence')
  return sums
}

const shapeOf = ({ name, columns }: Table) => ({ name, columns })
