import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { makeErrorReports, type ReportBody } from '#testing/data/make-error-reports.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const make = makeErrorReports(testApp)
const url = '/api/v1/error_reports'

/** Two channels of one catalogue, and one of another. */
const channels = [await make.channel('North'), await make.channel('North'), await make.channel('South')]
const catalogs = new Map(channels.map((channel, position) => [channel, position === 2 ? 'South' : 'North']))
const catalogOf = (channel: number | null): string | undefined => catalogs.get(channel ?? 0)

const all = async (): Promise<ReportBody[]> => (await call('GET', `${url}/?limit=1000`)).json()

type Fits = (report: ReportBody) => boolean
/** Whether a word in lower case is in a report; names are also taken apart where a capital begins. */
const contains = (report: ReportBody, word: string): boolean => {
  const named = `${report.error_desc} ${report.error_code}`
  const apart = named.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return [named, apart, report.raw_response, report.raw_request]
    .join(' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .includes(word)
}
/** Every filter with some values, and what it means. */
const filters = async (rows: readonly ReportBody[]): Promise<[string, Fits][]> => {
  const middle = rows[Math.floor(rows.length / 2)]?.created_date ?? '2026-01-01T00:00:00Z'
  const group = rows.find((row) => row.group !== null)?.group ?? 1
  return [
    [`channel=${channels[0]}`, (row) => row.channel === channels[0]],
    [`channel=${channels[2]}`, (row) => row.channel === channels[2]],
    ['catalog=North', (row) => catalogOf(row.channel) === 'North'],
    ['catalog=Nowhere', () => false],
    ['action_content_type=package', (row) => row.action_content_type === 1],
    ['action_content_type=nothing', () => false],
    ['action_content_type_id=2', (row) => row.action_content_type === 2],
    ['target_content_type=Channel', (row) => row.target_content_type === contentTypes.channel],
    ['target_content_type_id=4', (row) => row.target_content_type === 4],
    [`target_object_id=${channels[0]}`, (row) => row.target_object_id === String(channels[0])],
    ['target_object_id=7', (row) => row.target_object_id === '7'],
    ['action_object_id__in=1,2', (row) => row.action_object_id <= 2],
    ['action_object_id__in=1&action_object_id__in=3', (row) => [1, 3].includes(row.action_object_id)],
    ['is_ok=true', (row) => row.is_ok],
    ['is_ok=False', (row) => !row.is_ok],
    ['error_code=custom', (row) => row.error_code === 'custom'],
    ['q=TIMEOUT', (row) => contains(row, 'timeout')],
    ['q=50%25 ReadTimeout', (row) => contains(row, '50') && contains(row, 'readtimeout')],
    ['q=out', () => false],
    ['q=%25', () => false],
    [`group=${group}`, (row) => row.group === group],
    [`created_date__gte=${middle}`, (row) => row.created_date >= middle],
    [`created_date__lt=${middle}`, (row) => row.created_date < middle],
    ['created_date__lte=9999-12-31T23:59:59.999Z', () => true],
    ['created_date__gt=9999-12-31T23:59:59.999Z', () => false],
    ['created_date__gte=0001-01-01T00:00:00Z', () => true],
    ['created_date__gte=2026-11-20 12:00:00', (row) => row.created_date >= '2026-11-20T12:00:00'],
    ['created_date__lt=2026-11-20 12:00:00', (row) => row.created_date < '2026-11-20T12:00:00'],
  ]
}

const fields = fc.record(
  {
    action_content_type: fc.constantFrom(1, 2),
    action_object_id: fc.constantFrom(1, 2, 3),
    target_content_type: fc.constantFrom(null, 4, contentTypes.channel),
    target_object_id: fc.constantFrom(null, '7', String(channels[0]), channels[1]),
    is_ok: fc.boolean(),
    error_code: fc.constantFrom('custom', 'other', 'E-50%', 'timeout-50'),
    error_desc: fc.constantFrom('ReadTimeout', 'Other'),
    raw_response: fc.constantFrom(null, 'a TimeOut', '50 per cent'),
  },
  { requiredKeys: [] },
)
const index = fc.nat(1_000)
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      at: index,
      all: fc.array(fields, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('patch' as const), at: index, patch: fields }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: index }) },
)

let codes = 0
const run = async (one: typeof operation extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
  const rows = await all()
  const id = rows[one.at % Math.max(1, rows.length)]?.id ?? 0
  if (one.kind === 'delete') await call('DELETE', `${url}/${id}/`)
  else if (one.kind === 'patch') await call('PATCH', `${url}/${id}/`, one.patch)
  else {
    const channel = [undefined, ...channels][one.at % 4]
    const made = one.all.map((part) => {
      codes += 1
      return channel === undefined
        ? make.report({ raw_request: `${codes}`, ...part })
        : make.ofChannel(channel, { raw_request: `${codes}`, ...part })
    })
    await Promise.all(made)
  }
}

const expectSame = async (query: string, rows: readonly ReportBody[], fits: Fits): Promise<void> => {
  const expected = rows.filter(fits).map(({ id }) => id)
  const found = await make.list(`${query}&limit=1000`)
  expect({ query, ...found }).toEqual({ query, count: expected.length, ids: expected })
}

describe('the lists', () => {
  beforeAll(async () => {
    // History: what is there when the first test begins was made two days ago.
    for (const channel of channels)
      for (let n = 0; n < 5; n++) await make.ofChannel(channel, { raw_request: `old ${n}` })
    await sql`update error_reports set created_at = '2026-11-19T10:00:00Z'`.execute(database.db)
  })

  test('count and show what fits, by every filter and every two of them, whatever was done before', async () => {
    const check = async (operations: readonly Parameters<typeof run>[0][]): Promise<void> => {
      for (const one of operations) await run(one)
      const rows = await all()
      expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => b - a))
      const each = await filters(rows)
      for (const [position, [query, fits]] of each.entries()) {
        await expectSame(query, rows, fits)
        for (const [other, alsoFits] of each.slice(position + 1)) {
          if (nameOf(other) !== nameOf(query))
            await expectSame(`${query}&${other}`, rows, (row) => fits(row) && alsoFits(row))
        }
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 15 }), check), tries(1, 5))
  }, 180_000)

  test('are paged from both ends, with links', async () => {
    const rows = await all()
    for (const query of ['', 'is_ok=false', 'ordering=id', 'ordering=-updated_date', 'target_object_id=7']) {
      const { ids, count } = await make.list(`${query}&limit=1000`)
      const pages: number[] = []
      for (let page = 1; page <= Math.ceil(count / 3); page++)
        pages.push(...(await make.list(`${query}&limit=3&page=${page}`)).ids)
      expect(pages).toEqual(ids)
      expect((await make.list(`${query}&limit=3&page=${count + 1}`)).ids).toEqual([])
    }
    const first = await call('GET', `${url}/?limit=3`)
    expect(first.headers['x-total-count']).toBe(String(rows.length))
    expect(first.headers['link']).toContain('page=2>; rel="next"')
  })

  test('show 100 at a time in general and 10 of one kind', async () => {
    const types = [contentTypes.product, contentTypes.city, contentTypes.township]
    await Promise.all(
      Array.from({ length: 110 }, (_, n) => make.report({ action_content_type: types[n % 3], raw_request: `${n}` })),
    )
    expect((await make.list('')).ids).toHaveLength(100)
    for (const [position, kind] of ['product', 'city', 'township'].entries()) {
      const answer = await call('GET', `${url}/${kind}?page=1`)
      const rows = answer.json<ReportBody[]>()
      expect([rows.length, new Set(rows.map((row) => row.action_content_type))]).toEqual([
        10,
        new Set([types[position]]),
      ])
      expect(Number(answer.headers['x-total-count'])).toBe(position === 2 ? 36 : 37)
    }
  })

  test('merge reports of many kinds in order, whether a kind is rare, frequent or old', async () => {
    const kinds = Object.values(contentTypes).slice(0, 24)
    const random = seededRandom(1)
    const spread = Array.from({ length: 60 }, () => Math.floor(random() * kinds.length))
    // Of the first nothing is new, of the last nearly all that is.
    const order = [...kinds.keys(), ...spread, ...Array.from({ length: 30 }, () => kinds.length - 1)]
    for (const [at, kind] of order.entries())
      await make.ofChannel(channels[2] ?? 0, {
        action_content_type: kinds[kind] ?? 1,
        is_ok: false,
        raw_request: `merged ${at}`,
      })
    const isIts = (row: ReportBody): boolean => row.channel === channels[2] && !row.is_ok
    const ids = (await all()).filter(isIts).map(({ id }) => id)
    for (const ordered of [ids, ids.toReversed()])
      for (const page of [1, 2, 5, 9]) {
        const query = `channel=${channels[2]}&is_ok=false&limit=4&page=${page}&ordering=${ordered === ids ? '-id' : 'id'}`
        expect([query, (await make.list(query)).ids]).toEqual([query, ordered.slice(4 * page - 4, 4 * page)])
      }
  })
})

const nameOf = (query: string): string => query.split('=')[0] ?? ''
