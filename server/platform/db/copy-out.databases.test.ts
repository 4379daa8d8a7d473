import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'

const database = await openTestDatabase()
const { db } = database
await sql`create table copied (id integer primary key, name text)`.execute(db)
await sql`insert into copied values (1, 'plain'), (2, 'a "quoted", one'), (3, null)`.execute(db)

const never = new AbortController().signal
const read = async (statement: string, signal = never): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of database.copyOut(statement, signal)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const many = (count: number): string =>
  `copy (select n, repeat('x', 100) from generate_series(1, ${count}) as n) to stdout (format csv)`

describe('a copy', () => {
  test('is what the database writes, byte for byte', async () => {
    const text = await read('copy (select id, name from copied order by id) to stdout (format csv)')
    expect(text).toBe('1,plain\n2,"a ""quoted"", one"\n3,\n')
  })

  test('of much comes whole', async () => {
    const text = await read(many(50_000))
    expect(text.split('\n')).toHaveLength(50_001)
    expect(text.endsWith(`50000,${'x'.repeat(100)}\n`)).toBe(true)
  })

  test('lets others ask meanwhile, and sees one state of the database', async () => {
    const rows: number[] = []
    for await (const _ of database.copyOut(many(50_000), never)) {
      await sql`insert into copied values (${rows.length + 100}, 'meanwhile')`.execute(db)
      const counted = await sql<{ count: number }>`select count(*) as count from copied`.execute(db)
      rows.push(counted.rows[0]?.count ?? 0)
      if (rows.length === 3) break
    }
    expect(rows).toEqual([...rows].toSorted((a, b) => a - b))
    expect(rows[0]).toBe(4)
    expect(await read('copy (select count(*) from copied) to stdout')).toBe(`${3 + rows.length}\n`)
  })

  test('that the database refuses says why, and the next one works', async () => {
    await expect(read('copy (select 1 / 0) to stdout')).rejects.toThrow('division by zero')
    await expect(read('copy (select * from missing) to stdout')).rejects.toThrow('does not exist')
    expect(await read('copy (select 1) to stdout')).toBe('1\n')
  })

  test('is broken off by its signal, before and in the middle', async () => {
    await expect(read('copy (select 1) to stdout', AbortSignal.abort(new Error('no more')))).rejects.toThrow('no more')
    const stop = new AbortController()
    const reading = async (): Promise<void> => {
      for await (const _ of database.copyOut(many(300_000), stop.signal)) stop.abort(new Error('enough'))
    }
    await expect(reading()).rejects.toThrow('enough')
    expect(await read('copy (select 2) to stdout')).toBe('2\n')
  })
})
