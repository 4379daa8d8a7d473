import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
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
  const template = await readFile(inject('pgliteTemplate'))
  return { database: await openPglite({ loadDataDir: template }), remove: async () => undefined }
}

const copyOnServer = async (): Promise<Copy> => {
  const { url, remove } = await createDatabase(inject('postgresTemplate'))
  return { database: await openPostgres({ url, poolSize: 10 }), remove }
}

/** Creates a database on the test server from a template; for tests that start processes of their own. */
export const createDatabase = async (template = 'template1'): Promise<{ url: string; remove: () => Promise<void> }> => {
  const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const name = `waybill_test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name} template ${template}`)
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
