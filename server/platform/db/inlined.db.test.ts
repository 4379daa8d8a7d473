import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { inlined } from './inlined.ts'

const { db, scriptTransaction } = await openTestDatabase()
const read = async (query: RawBuilder<unknown>): Promise<unknown> => {
  const [row] = await scriptTransaction((run) => run(inlined(query.compile(db))))
  return row?.['value']
}
/** What the database can keep: no NUL, no half characters. */
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''))
const odd = ["it's", String.raw`a \' b`, '$1', "'; drop table users; --", '{a,"b"}', String.raw`\\`, '', 'null', 'a\nb']

describe('a query with its parameters in it', () => {
  test('reads the same texts', async () => {
    const same = fc.asyncProperty(text, async (value) => {
      expect(await read(sql`select ${value}::text as value`)).toBe(value)
    })
    await fc.assert(same, { numRuns: 300, examples: odd.map((value) => [value]) })
  })

  test('reads the same lists of texts', async () => {
    const same = fc.asyncProperty(fc.array(text), async (values) => {
      expect(await read(sql`select ${values}::text[] as value`)).toEqual(values)
    })
    await fc.assert(same, { numRuns: 300, examples: [[odd]] })
  })

  test('reads the same numbers, times and truths', async () => {
    expect(await read(sql`select 1 - ${-5}::integer as value`)).toBe(6)
    expect(await read(sql`select ${[1, -2]}::integer[] as value`)).toEqual([1, -2])
    expect(await read(sql`select ${1.5}::float8 as value`)).toBe(1.5)
    expect(await read(sql`select ${true}::boolean as value`)).toBe(true)
    expect(await read(sql`select ${null}::text as value`)).toBeNull()
    const time = new Date('2026-11-21T09:30:00.123Z')
    expect(await read(sql`select ${time}::timestamptz as value`)).toEqual(time)
  })

  test('puts each of more than ten at its place', async () => {
    const values = Array.from({ length: 12 }, (_, index) => `v${index}`)
    const all = sql.join(
      values.map((value) => sql`${value}::text`),
      sql` || `,
    )
    expect(await read(sql`select ${all} as value`)).toBe(values.join(''))
  })

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, { a: 1 }, 5n])('refuses %s', (value) => {
    expect(() => inlined({ sql: 'select $1', parameters: [value] })).toThrow('cannot be written')
  })
})
