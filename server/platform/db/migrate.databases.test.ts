import { describe, expect, test } from 'vitest'
import { createDatabase, openTestDatabase } from '#testing/open-test-database.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { openPglite } from './open-pglite.ts'
import { openPostgres } from './open-postgres.ts'

const shipped = await readMigrations()
const database = await openTestDatabase()

const extra = (sql: string): Migration => ({
  version: shipped.length + 1,
  name: `${String(shipped.length + 1).padStart(4, '0')}_extra.sql`,
  sql,
  checksum: sql,
})

/** An empty database; on a server, two connections to the same one. */
const twoConnections = async () => {
  if (process.env['TEST_ENGINE'] !== 'postgres') {
    const only = await openPglite({})
    return { databases: [only, only], remove: () => only.close() }
  }
  const { url, remove } = await createDatabase('template1')
  const databases = await Promise.all([1, 2].map(() => openPostgres({ url, poolSize: 2 })))
  return {
    databases,
    remove: async () => {
      await Promise.all(databases.map((one) => one.close()))
      await remove()
    },
  }
}

describe('migrations', () => {
  test('are applied once, also when two processes start at the same time', async () => {
    const { databases, remove } = await twoConnections()
    const applied = await Promise.all(databases.map((one) => migrate(one, shipped)))
    expect(applied.flat().toSorted()).toEqual(shipped.map(({ name }) => name))
    await remove()
  })

  test('do nothing on a database that has them all', async () => {
    expect(await migrate(database, shipped)).toEqual([])
  })

  test('refuse a file that was edited after it was applied', async () => {
    const edited = shipped.map((one, index) => (index === 0 ? { ...one, checksum: 'edited' } : one))
    await expect(migrate(database, edited)).rejects.toThrow(/0001_platform\.sql was changed after it was applied/)
  })

  test('refuse a database that is newer than the files', async () => {
    await expect(migrate(database, shipped.slice(0, -1))).rejects.toThrow(/start a newer version/)
  })

  test('one that fails leaves nothing behind', async () => {
    const broken = extra('create table half_made (id integer); select no_such_function();')
    await expect(migrate(database, [...shipped, broken])).rejects.toThrow(/no_such_function/)
    const rows = await database.scriptTransaction((run) => run(`select to_regclass('half_made') as name`, []))
    expect(rows).toEqual([{ name: null }])
    expect(await migrate(database, shipped)).toEqual([])
  })
})
