import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const { call } = await makeTestApp({ clock })

/** A row of any of the lists, as a client reads it. */
type Row = ReturnType<typeof JSON.parse>
const post = async (path: string, body: object): Promise<Row> => {
  const answer = await call('POST', path, body)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

const earlier = clock.now().toISOString()
// Some of everything; an hour passes before the last of each.
const division = (fields: object) => post('/api/v1/divisions/', fields)
const product = (fields: object) => post('/api/v1/products/', { price: '1', currency: 'EUR', ...fields })
const main = await division({ name: 'North hall', erp_code: 'B', phone_number: '+49 30 1' })
const branch = await division({ name: 'Shop 100%', parent: main.id, erp_code: 'A', is_active: false })
await division({ name: 'Yard', phone_number: '+90 212' })
const chair = await product({ remote_id: 'B', name: 'Chair oak' })
await product({ remote_id: 'A', name: 'Desk 100%', currency: 'JPY', is_active: false })
clock.advance(3_600_000)
const later = clock.now().toISOString()
await division({ name: 'North hall', parent: branch.id })
await product({ remote_id: 'C', name: 'Chair oak' })
await call('PATCH', `/api/v1/products/${chair.id}/`, { price: '2' })
await call('PATCH', `/api/v1/divisions/${branch.id}/`, { phone_number: '7' })

/** What a filter leaves, said by a row as it is answered. */
type Filter = readonly [query: string, matches: (row: Row) => boolean]
const times: readonly Filter[] = ['created_date', 'modified_date'].flatMap((name): Filter[] => [
  [`${name}__gte=${later}`, (row) => row[name] >= later],
  [`${name}__lt=${later}`, (row) => row[name] < later],
  [`${name}__gt=${earlier}`, (row) => row[name] > earlier],
  [`${name}__lte=${earlier}`, (row) => row[name] <= earlier],
])
const badTimes = ['created_date__gte=yesterday', 'modified_date__lte=2026-02-31 00:00:00']

interface List {
  readonly path: string
  readonly filters: readonly Filter[]
  readonly orderings: readonly string[]
  readonly bad: readonly string[]
}
const lists: readonly List[] = [
  {
    path: '/api/v1/divisions/',
    filters: [
      ...times,
      ['name=NORTH', (row) => /north/i.test(row.name)],
      ['name=0%25', (row) => row.name === 'Shop 100%'],
      ['phone_number=30', (row) => row.phone_number.includes('30')],
      ['erp_code=A', (row) => row.erp_code === 'A'],
      [`parent=${main.id}`, (row) => row.parent === main.id],
      [`root=${main.id}`, (row) => row.root === main.id],
      ['is_active=false', (row) => !row.is_active],
      [`root=${main.id}&name=hall&is_active=true`, (row) => row.root === main.id && row.name === 'North hall'],
    ],
    orderings: ['id', 'name', 'erp_code', 'created_date', 'modified_date'],
    bad: [...badTimes, 'parent=x', 'root=0', 'is_active=maybe'],
  },
  {
    path: '/api/v1/products/',
    filters: [
      ...times,
      ['remote_id=A', (row) => row.remote_id === 'A'],
      ['name=CHAIR', (row) => row.name === 'Chair oak'],
      ['name=0%25', (row) => row.name === 'Desk 100%'],
      ['currency=JPY', (row) => row.currency === 'JPY'],
      ['is_active=true', (row) => row.is_active],
      ['currency=EUR&remote_id=C', (row) => row.remote_id === 'C'],
    ],
    orderings: ['id', 'remote_id', 'name', 'created_date', 'modified_date'],
    bad: [...badTimes, 'currency=euro', 'is_active=maybe'],
  },
]

const read = async (path: string, query = ''): Promise<readonly Row[]> => {
  const answer = await call('GET', `${path}?limit=1000&${query}`)
  const { results, ...page }: Row = answer.json()
  expect([answer.statusCode, page]).toEqual([200, { count: results.length, next: null, previous: null }])
  return results
}
const compare = (a: Row, b: Row): number => Number(a > b) - Number(a < b)
const sorted = (rows: readonly Row[], ordering: string): Row[] => {
  const field = ordering.replace('-', '')
  const ascending = rows.toSorted((a, b) => compare(a[field], b[field]) || compare(a.id, b.id))
  return ordering.startsWith('-') ? ascending.toReversed() : ascending
}

describe.each(lists)('GET $path', ({ path, filters, orderings, bad }) => {
  test('has every row by id', async () => {
    const rows = await read(path)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows).toEqual(sorted(rows, 'id'))
  })

  test('leaves what its filters say, some rows and not others', async () => {
    const all = await read(path)
    for (const [query, matches] of filters) {
      const expected = all.filter(matches)
      expect([query, expected.length > 0 && expected.length < all.length]).toEqual([query, true])
      expect([query, await read(path, query)]).toEqual([query, expected])
    }
  })

  test('is ordered both ways by each field, equal rows by their id', async () => {
    const all = await read(path)
    for (const ordering of orderings.flatMap((field) => [field, `-${field}`])) {
      expect([ordering, await read(path, `ordering=${ordering}`)]).toEqual([ordering, sorted(all, ordering)])
    }
  })

  test('is the same read page by page along its links, with its filters', async () => {
    const [query, matches] = filters[0] as Filter
    const expected = sorted((await read(path)).filter(matches), '-name')
    const found: Row[] = []
    let next: string | null = `${path}?limit=1&${query}&ordering=-name`
    while (next !== null) {
      const page: Row = (await call('GET', next)).json()
      expect(page.count).toBe(expected.length)
      found.push(...page.results)
      next = page.next === null ? null : page.next.replace(/^https?:\/\/[^/]+/, '')
    }
    expect(found).toEqual(expected)
    const beyond = await call('GET', `${path}?page=1000`)
    expect([beyond.statusCode, beyond.json()]).toMatchObject([200, { next: null, results: [] }])
  })

  test('refuses values that make no sense, by name', async () => {
    const paging = ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'page=0', 'page=-1', 'page=x']
    for (const query of [...paging, 'ordering=colour', 'ordering=-', ...bad]) {
      const answer = await call('GET', `${path}?${query}`)
      const fields = Object.keys(answer.json()).map((field) => field.replace(/\..*/, ''))
      expect([query, answer.statusCode, fields]).toEqual([query, 400, [query.replace(/=.*/, '')]])
    }
  })
})
