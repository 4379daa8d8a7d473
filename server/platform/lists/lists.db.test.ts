import { sql } from 'kysely'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { OneOf } from '../http/schemas.ts'
import { defineList } from './define-list.ts'
import { amount, contains, custom, equals, oneOf, quantity, time, truth } from './filters.ts'
import { readList } from './read-list.ts'
import { readTimeRanges } from './time-range.ts'

declare module '../db/database.ts' {
  interface Tables {
    listed: { id: number; name: string; kind: string; pieces: number; total: string; isNew: boolean; createdAt: Date }
  }
}

const { db } = await openTestDatabase()
beforeAll(async () => {
  await sql`create table listed (id bigint primary key, name text not null, kind text not null, pieces bigint not null,
    total numeric not null, is_new boolean not null, created_at timestamptz not null)`.execute(db)
  const row = (id: number, name: string, kind: string, hour: number) => {
    const createdAt = new Date(`2026-11-2${id % 2}T0${hour}:00:00.000Z`)
    return { id, name, kind, pieces: id, total: `${id}.50`, isNew: id === 1, createdAt }
  }
  const rows = [row(1, 'Chair 100%', 'a', 1), row(2, 'desk', 'b', 0), row(3, 'CHAIR', 'c', 0), row(4, 'lamp', 'a', 0)]
  await db.insertInto('listed').values(rows).execute()
})

const filters = {
  name: contains('name', 'the name'),
  id: equals('id', Type.Integer()),
  kind: oneOf('kind', OneOf(['a', 'b', 'c'])),
  pieces: quantity('pieces', 'Pieces'),
  total: amount('total', 'In all'),
  is_new: truth('is_new'),
  created: time('created_at', 'Created', { dates: 'days' }),
  happened: time('created_at', 'Happened', { dates: 'beginnings' }),
  at: time('created_at', 'At'),
  odd: custom(Type.Boolean(), (isOdd) => sql`(id % 2 = 1) = ${isOdd}`),
}
const orderings = { id: 'id', kind: 'kind', created: 'created_at' }
const list = defineList({ orderings, defaultOrdering: '-id', filters })
const log = defineList({ orderings, defaultOrdering: 'kind', filters, count: 'bounded' })
const rows = db.selectFrom('listed').select(['id', 'kind'])
const page = { page: 1, limit: 10 }

test.each([
  [{}, [4, 3, 2, 1]],
  [{ name: 'CHAIR' }, [3, 1]],
  [{ name: '0%' }, [1]],
  [{ name: 'air 100%' }, [1]],
  [{ name: 'cha%' }, []],
  [{ name: 'cha_r' }, []],
  [{ name: String.raw`cha\ir` }, []],
  [{ id: 2 }, [2]],
  [{ kind: ['a', 'c'] }, [4, 3, 1]],
  [{ pieces: 2 }, [2]],
  [{ pieces__gt: 2 }, [4, 3]],
  [{ pieces__gte: 2, pieces__lt: 4 }, [3, 2]],
  [{ pieces__lte: 2 }, [2, 1]],
  [{ total: '2.5' }, [2]],
  [{ total__gt: '2.5' }, [4, 3]],
  [{ total__lte: '2.50' }, [2, 1]],
  [{ is_new: false }, [4, 3, 2]],
  [{ odd: true }, [3, 1]],
  [{ at: '2026-11-21T00:00:00Z' }, [3]],
  [{ at__gt: '2026-11-21T00:00:00Z' }, [1]],
  [{ at__gte: '2026-11-21 00:00:00' }, [3, 1]],
  [{ at__lt: '2026-11-21T00:00:00Z' }, [4, 2]],
  [{ at__lte: '2026-11-21T00:00:00Z' }, [4, 3, 2]],
  [{ created: '2026-11-21' }, [3, 1]],
  [{ created__gt: '2026-11-20' }, [3, 1]],
  [{ created__gt: '2026-11-21' }, []],
  [{ created__lte: '2026-11-20' }, [4, 2]],
  [{ happened: '2026-11-21' }, [3, 1]],
  [{ happened__gt: '2026-11-21' }, [1]],
  [{ happened__lte: '2026-11-21' }, [4, 3, 2]],
])('%j leaves %j, and counts them', async (query, ids) => {
  const found = await readList(db, list, { ...page, ...query }, rows)
  expect([found.rows.map(({ id }) => id), found.count]).toEqual([ids, ids.length])
})

test.each([
  ['at', '2026-11-21'],
  ['at__gt', 'yesterday'],
  ['created__lte', '2026-02-30'],
  ['total', '-1'],
  ['total__gte', '1e3'],
])('%s=%s is refused by name', async (name, value) => {
  const fields = { [`filter.${name}`]: [expect.stringMatching(/^Expected a/)] }
  const read = async () => list.where({ [name]: value }, 'filter.')
  await expect(read()).rejects.toMatchObject({ status: 400, details: { fields } })
})

test('filters of one time are read together, as the moments that all of them leave', () => {
  const query = { at__gte: '2026-11-20T00:00:00Z', at__gt: '2026-11-20T00:00:00Z', at__lt: '2026-11-21T00:00:00Z' }
  const from = new Date('2026-11-20T00:00:00.001Z')
  expect(readTimeRanges(query, 'at')).toEqual({ from, before: new Date('2026-11-21T00:00:00Z') })
  expect(readTimeRanges({}, 'at')).toEqual({})
})

test('a page behind the last has no rows and their count', async () => {
  expect(await readList(db, list, { page: 2, limit: 3 }, rows)).toMatchObject({
    rows: [{ id: 1, kind: 'a' }],
    count: 4,
  })
  expect(await readList(db, list, { page: 9, limit: 3 }, rows)).toEqual({ rows: [], count: 4 })
  expect(await readList(db, list, { page: 9, limit: 3, name: 'x' } as typeof page, rows)).toEqual({
    rows: [],
    count: 0,
  })
  expect((await readList(db, { ...list, known: () => sql`77::bigint` }, page, rows)).count).toBe(77)
})

test.each(['id', '-id', 'kind', '-kind'])('pages of any size are the list by %s cut into pieces', async (ordering) => {
  const whole = await readList(db, list, { ...page, ordering }, rows)
  for (const limit of [1, 2, 3])
    for (let at = 1; at <= Math.ceil(4 / limit); at++) {
      const piece = await readList(db, list, { page: at, limit, ordering }, rows)
      const expected = whole.rows.slice((at - 1) * limit, at * limit).map(({ id, kind }) => ({ id, kind }))
      expect(piece).toMatchObject({ rows: expected, count: 4 })
    }
})

describe('a log', () => {
  const follow = async (ordering: string, afterFirst: () => Promise<unknown> = async () => undefined) => {
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const found = await readList(db, log, { ...page, limit: 1, ordering, ...(cursor && { cursor }) }, rows)
      seen.push(...found.rows.map(({ id }) => id))
      if (cursor === undefined) await afterFirst()
      cursor = found.bounded?.next
    } while (cursor !== undefined)
    return seen
  }

  test.each([
    ['kind', [1, 4, 2, 3]],
    ['-kind', [3, 2, 4, 1]],
    ['created', [2, 4, 3, 1]],
    ['-id', [4, 3, 2, 1]],
  ])('is read from cursor to cursor by %s', async (ordering, ids) => {
    expect(await follow(ordering)).toEqual(ids)
  })

  test('shows every row once while rows are added at its beginning', async () => {
    const add = () =>
      sql`insert into listed select 5, 'new', 'z', 5, 5, false, '2026-12-01' from listed limit 1`.execute(db)
    expect(await follow('-id', add)).toEqual([4, 3, 2, 1])
    await db.deleteFrom('listed').where('id', '=', 5).execute()
  })

  test.each([
    '',
    'x',
    'bnVsbA',
    Buffer.from('["created","yesterday","x"]').toString('base64url'),
    'WyJpZCIsIjEiLCIxIl0',
  ])('refuses the cursor "%s"', async (cursor) => {
    const read = readList(db, log, { ...page, ordering: 'created', cursor }, rows)
    await expect(read).rejects.toMatchObject({ status: 400, details: { fields: { cursor: [expect.any(String)] } } })
  })

  test('counts up to 10,000 and has pages up to there, as any list by a part of a text, and cursors beyond', async () => {
    await sql`insert into listed select 10 + n, 'many', 'm', 0, 0, false, '2026-01-01' from generate_series(1, 10001) n`.execute(
      db,
    )
    const many = { limit: 1000, name: 'many', ordering: 'id' }
    const tenth = await readList(db, log, { page: 10, ...many }, rows)
    expect([tenth.count, tenth.bounded?.isMore, tenth.rows.at(-1)?.id]).toEqual([10_000, true, 10_010])
    const beyond = await readList(db, log, { page: 1, ...many, cursor: tenth.bounded?.next ?? '' }, rows)
    expect(beyond).toMatchObject({
      rows: [{ id: 10_011, kind: 'm' }],
      count: 10_000,
      bounded: { isMore: true, firstKey: 11, next: undefined },
    })
    await expect(readList(db, log, { page: 11, ...many }, rows)).rejects.toMatchObject({ status: 400 })
    const named = await readList(db, list, { page: 10, ...many }, rows)
    expect(named.rows.map(({ id }) => id)).toEqual(tenth.rows.map(({ id }) => id))
    expect(named).toMatchObject({ count: 10_000, bounded: { isMore: true, next: undefined } })
    await expect(readList(db, list, { page: 11, ...many }, rows)).rejects.toMatchObject({ status: 400 })
    const few = await readList(db, log, { page: 1, limit: 10, ordering: 'id', kind: ['a'] } as typeof page, rows)
    expect(few).toMatchObject({ count: 2, bounded: { isMore: false, next: undefined } })
  })
})
