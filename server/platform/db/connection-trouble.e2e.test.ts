import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { startFlakyNetwork, type FlakyNetwork } from '#testing/chaos/flaky-network.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import type { Database } from './database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { openPostgres } from './open-postgres.ts'
import { inTransaction } from './transaction.ts'

// PostgreSQL behind a network that breaks. The statements are told to wait a second where a server waits half a minute.

const answerTimeoutMs = 1_000
const { url, remove } = await createDatabase()
let network: FlakyNetwork
let database: Database
const through = new URL(url)

beforeAll(async () => {
  network = await startFlakyNetwork(Number(through.port || 5432))
  through.port = String(network.port)
  database = await openPostgres({ url: through.href, poolSize: 2, answerTimeoutMs })
})
afterAll(async () => {
  await database.close()
  await network.close()
  await remove()
})

const asleep = (seconds: number): Promise<unknown> => sql`select pg_sleep(${seconds})`.execute(database.db)
const works = async (): Promise<boolean> => {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db)
  return rows[0]?.one === 1
}

describe('a connection to PostgreSQL', () => {
  test('that breaks during a statement says so in the words of the database, and the next statement gets another one', async () => {
    const statement = asleep(0.5)
    await sql`select 1`.execute(database.db)
    network.cut()
    await expect(statement).rejects.toThrow(DatabaseUnavailable)
    // A code of the network would be taken for that of a client who hung up.
    await expect(statement).rejects.not.toHaveProperty('code')
    expect(await works()).toBe(true)
  })

  test('that breaks before the commit leaves nothing of the transaction', async () => {
    await sql`create table if not exists kept (id integer)`.execute(database.db)
    const broken = inTransaction(database.db, async (tx) => {
      await sql`insert into kept values (1)`.execute(tx)
      network.cut()
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailable)
    const { rows } = await sql`select * from kept`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('that goes silent is given up after a while, and the next statement gets another one', async () => {
    await Promise.all([asleep(0.1), asleep(0.1)])
    network.silence()
    await expect(works()).rejects.toThrow('no answer within 1 s')
    await expect(works()).rejects.toThrow('no answer within 1 s')
    expect(await works()).toBe(true)
  })

  test('that listens notices that it has gone silent, and hears again on another one', async () => {
    const heard: string[] = []
    let gaps = 0
    const stop = await database.listen(
      'trouble',
      (payload) => heard.push(payload),
      () => (gaps += 1),
    )
    network.silence()
    await expect.poll(() => gaps).toBe(1)
    const other = await openPostgres({ url, poolSize: 1 })
    await sql`select pg_notify('trouble', 'again')`.execute(other.db)
    await expect.poll(() => heard).toEqual(['again'])
    await other.close()
    await stop()
    // Those of the pool have gone silent as well.
    await Promise.allSettled([works(), works()])
  })

  test('that takes no writes any more is not used again', async () => {
    const pool = await openPostgres({ url, poolSize: 1 })
    await sql`create table if not exists kept (id integer)`.execute(pool.db)
    await sql`set default_transaction_read_only = on`.execute(pool.db)
    const write = () => sql`insert into kept values (2)`.execute(pool.db)
    await expect(write()).rejects.toThrow(DatabaseUnavailable)
    await expect(write()).resolves.toBeDefined()
    await expect(sql`set default_transaction_read_only = on`.execute(pool.db)).resolves.toBeDefined()
    const inside = inTransaction(pool.db, (tx) => sql`insert into kept values (3)`.execute(tx))
    await expect(inside).rejects.toThrow(DatabaseUnavailable)
    await expect(write()).resolves.toBeDefined()
    await pool.close()
  })

  test('is not given up while a script runs that takes its time', async () => {
    const rows = await database.scriptTransaction((run) => run(`select pg_sleep(1.5), 'done' as state`, []))
    expect(rows).toMatchObject([{ state: 'done' }])
  })

  test('lets go of what it had locked when its process is gone without a word', async () => {
    const opened = Promise.withResolvers<void>()
    const left = inTransaction(database.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(tx)
      network.silence()
      opened.resolve()
      await sql`select 1`.execute(tx)
    })
    left.catch(() => undefined)
    await opened.promise
    const other = await openPostgres({ url, poolSize: 1 })
    const { rows } = await sql<{ seen: string }>`select 'mine' as seen from pg_advisory_lock(1)`.execute(other.db)
    expect(rows).toEqual([{ seen: 'mine' }])
    await other.close()
    await expect(left).rejects.toThrow(DatabaseUnavailable)
  })

  test('whose login is refused from now on, or whose database is gone, is not available; both come back', async () => {
    const admin = await openPostgres({ url, poolSize: 1 })
    const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(admin.db)
    const name = `trouble_${process.pid}`
    await run(`create role ${name} login password 'once'`)
    await run(`create database ${name}`)
    const own = new URL(url)
    Object.assign(own, { username: name, password: 'once', pathname: name })
    const other = await openPostgres({ url: own.href, poolSize: 1 })
    const select = () => sql`select 1`.execute(other.db)
    const end = () => run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`)
    for (const [refuse, allow] of [
      [`alter role ${name} nologin`, `alter role ${name} login`],
      [`alter database ${name} rename to ${name}_away`, `alter database ${name}_away rename to ${name}`],
    ] as const) {
      await end()
      await expect.poll(() => run(refuse).then(() => 'done', String)).toBe('done')
      await expect.poll(() => select().catch((error: unknown) => error)).toBeInstanceOf(DatabaseUnavailable)
      await expect(select()).rejects.toThrow(DatabaseUnavailable)
      await run(allow)
      expect((await select()).rows).toHaveLength(1)
    }
    await other.close()
    await run(`drop database ${name}`)
    await run(`drop role ${name}`)
    await admin.close()
  })

  test('is not there: readiness says so soon, whatever statements wait for', async () => {
    const patient = await openPostgres({ url: through.href, poolSize: 2 })
    network.stall()
    await expect(patient.ping()).rejects.toThrow('no answer within 2 s')
    network.heal()
    await expect.poll(() => patient.ping(), { timeout: 5_000 }).toBeUndefined()
    await patient.close()
  })
})
