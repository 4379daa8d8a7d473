import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { openPostgres } from '#platform/db/open-postgres.ts'

/**
 * A migrated, empty database of its own for the calling test file, on the engine of the test project
 * (TEST_ENGINE). Closed, and on a server dropped, after the file's last test.
 */
export const openTestDatabase = async (): Promise<Database> => {
  const { database, remove } = process.env['TEST_ENGINE'] === 'postgres' ? await copyOnServer() : await copyInMemory()
  afterAll(async () => {
    await database.close()
    await remove()
  })
  return database
}

interface Copy {
  readonly database: Database
  readonly remove: () => Promise<void>
}

const copyInMemory = async (): Promise<Copy> => {
  compiledPglite ??= compilePglite()
  sharedTemplate ??= readShared(inject('pgliteTemplate'))
  const [loadDataDir] = await Promise.all([sharedTemplate, compiledPglite])
  return { database: await openPglite({ loadDataDir }), remove: async () => undefined }
}

/** In memory that threads share, so that those of the databases need no copy of it. */
let sharedTemplate: Promise<Uint8Array> | undefined
const readShared = async (file: string): Promise<Uint8Array> => {
  const content = await readFile(file)
  const shared = new Uint8Array(new SharedArrayBuffer(content.length))
  shared.set(content)
  return shared
}

/**
 * Kept as long as the process that runs the tests: the engine of JavaScript shares compiled code among threads while
 * anything holds it. So the database is compiled, and what is hot in it optimized, once and not for each test file.
 */
let compiledPglite: Promise<object> | undefined
/** The types of Node.js leave it to those of browsers. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }
const compilePglite = async (): Promise<object> => {
  const directory = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(directory, 'pglite.wasm')))
}

const copyOnServer = async (): Promise<Copy> => {
  const { url, remove } = await createDatabase()
  return { database: await openPostgres({ url, poolSize: 10 }), remove }
}

/** Creates a database on the test server, migrated and empty by default; for tests that start processes of their own. */
export const createDatabase = async (
  template = inject('postgresTemplate'),
): Promise<{ url: string; remove: () => Promise<void> }> => {
  const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const name = `waybill_test_${randomBytes(6).toString('hex')}`
  // By default every page would go through the log, which takes five times as long.
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => runOnServer(server, `drop database ${name} with (force)`) }
}

const runOnServer = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
