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
const anyText = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''))
const odd = ["it's", String.raw`a \' b`, '$1', "'; drop table users; --", '{a,"b"}', String.raw`\\`, '', 'null', 'a\nb']

describe('a query with its parameters in it', () => {
  test('reads the same texts', async () => {
    const same = fc.asyncProperty(anyText, async (value) => {
      expect(await read(sql`select ${value}::text as value`)).toBe(value)
    })
    await fc.assert(same, { numRuns: 300, examples: odd.map((value) => [value]) })
  })

  test('reads the same lists of texts', async () => {
    const same = fc.asyncProperty(fc.array(anyText), async (values) => {
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

  test.each([
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00.000Z',
    '+123456-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '0123-05-06T07:08:09.010Z',
  ])('reads the time %s', async (text) => {
    const time = new Date(text)
    expect(await read(sql`select ${time}::timestamptz as value`)).toEqual(time)
  })

  test('writes times before the year 1 with their era', async () => {
    const [zero, earlier] = ['0000-06-01T00:00:00.000Z', '-000043-03-15T12:00:00.000Z'].map((text) => new Date(text))
    const written = sql`select array[${zero}::timestamptz, ${earlier}::timestamptz]::text as value`
    expect(await read(written)).toBe('{"0001-06-01 00:00:00+00 BC","0044-03-15 12:00:00+00 BC"}')
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
