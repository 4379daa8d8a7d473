import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { call } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, chair, admin, mine, ask, must } = world

const minutes = (count: number) => clock.advance(count * 60_000)
await must(call('PATCH', `/api/v1/divisions/${main}/`, { phone_number: '+49 30 123' }))
await must(call('PATCH', `/api/v1/divisions/${branch}/`, { phone_number: '+90 212 9' }))
const yen = await world.product({ price: 700, currency: 'JPY' })

// Some of everything, over two days.
const first = await ask(owner, branch, { [chair]: 1 }, 'Spring 100%')
minutes(10)
const second = await ask(mainBuyer, main, { [chair]: 3 }, 'Autumn')
minutes(10)
await ask(owner, branch, { [yen]: 1 }, 'spring in Tokyo')
minutes(24 * 60)
await ask(mainBuyer, branch, { [chair]: 7 }, 'Winter')
await mine(mainBuyer, first.id, 'approve-pending-request')
await admin(second.id, 'set-as-draft')
minutes(10)
await ask(owner, branch, { [chair]: 2 }, 'Autumn')
const moment = clock.now().toISOString()

type Filter = readonly [query: string, matches: (row: WireQuotation) => boolean]
const amountOf = (row: WireQuotation): number => Number(row.total_amount)
const filters: readonly Filter[] = [
  ['status=draft&status=pending', ({ status }) => ['draft', 'pending'].includes(status)],
  [`status=pending&division=${main}`, ({ status, user }) => status === 'pending' && user.division.id === main],
  ['total_amount=300', (row) => amountOf(row) === 300],
  ['total_amount=700', (row) => amountOf(row) === 700],
  ['total_amount__gte=300.00', (row) => amountOf(row) >= 300],
  ['total_amount__gte=300.001', (row) => amountOf(row) >= 300.001],
  ['total_amount__lte=300.009', (row) => amountOf(row) <= 300.009],
  ['created_at=2026-11-21', (row) => row.created_at.startsWith('2026-11-21')],
  ['modified_at=2026-11-21', (row) => row.modified_at.startsWith('2026-11-21')],
  ['created_at__lte=2026-11-21', (row) => row.created_at < '2026-11-22'],
  ['modified_at__gte=2026-11-22', (row) => row.modified_at >= '2026-11-22'],
  [`created_at=${moment}`, (row) => row.created_at === moment],
  [`created_at__gte=${moment}`, (row) => row.created_at >= moment],
  [`modified_at__lte=${second.created_at}`, (row) => row.modified_at <= second.created_at],
  [`number=${second.number}&number=Q-2026-999999`, (row) => row.number === second.number],
  [`user=${owner.id}&name=autumn`, ({ user, name }) => user.id === owner.id && name === 'Autumn'],
]

const surfaces = [
  { path: '/api/v1/quotations/', as: call },
  { path: '/api/v1/my-quotations/', as: owner.call },
] as const

describe.each(surfaces)('GET $path', ({ path, as }) => {
  const read = async (query = ''): Promise<readonly WireQuotation[]> => {
    const { count, next, previous, results } = await must(as('GET', `${path}?limit=1000&${query}`))
    expect([query, count, next, previous]).toEqual([query, results.length, null, null])
    return results
  }

  test('has the newest first, in the shape of document 3 with currency, end and version', async () => {
    const rows = await read()
    const ids = rows.map(({ id }) => id)
    expect([ids.length > 2, ids]).toEqual([true, ids.toSorted((one, other) => other - one)])
    expect(Object.keys(rows[0])).toEqual([
      'id',
      'number',
      'total_amount',
      'net_amount',
      'name',
      'user',
      'created_at',
      'modified_at',
      'status',
      'currency',
      'expires_at',
      'version',
    ])
    expect(Object.keys(rows[0].user)).toEqual(['id', 'first_name', 'last_name', 'email', 'division'])
    expect(Object.keys(rows[0].user.division)).toEqual(['id', 'name', 'phone_number', 'erp_code'])
  })

  test('says of each what its amounts are in and when it ends, as its record does', async () => {
    const rows = await read()
    const shown = ({ id, currency, expires_at, version }: WireQuotation) => ({ id, currency, expires_at, version })
    const records = await Promise.all(rows.map(({ id }) => must(as('GET', `${path}${id}/`))))
    expect(rows.map(shown)).toEqual(records.map(shown))
    expect(rows.map(({ currency }) => currency)).toEqual(expect.arrayContaining(['EUR', 'JPY']))
    expect(rows.every(({ expires_at: at }) => typeof at === 'string')).toBe(true)
  })

  test('leaves what its filters say, and counts it', async () => {
    const all = await read()
    for (const [query, matches] of filters) expect([query, await read(query)]).toEqual([query, all.filter(matches)])
  })

  test('is the same page by page by part of a name, whatever comes first', async () => {
    for (const ordering of ['id', '-id']) {
      const all = await read(`name=t&ordering=${ordering}`)
      const pages = await Promise.all(
        all.map((_, index) => must(as('GET', `${path}?name=t&ordering=${ordering}&limit=1&page=${index + 1}`))),
      )
      expect(all.length).toBeGreaterThan(1)
      expect(pages.map(({ count, results }) => [count, results])).toEqual(all.map((row) => [all.length, [row]]))
      const { count, results } = await must(as('GET', `${path}?name=t&ordering=${ordering}&page=99`))
      expect([count, results]).toEqual([all.length, []])
    }
  })
})

test('links of a list stay below the prefix that it was asked for by', async () => {
  for (const prefix of ['/b2b', '/api/v1']) {
    const path = `${prefix}/my-quotations/?limit=1`
    const { next } = await must(mainBuyer.call('GET', path))
    expect(new URL(next).pathname).toBe(`${prefix}/my-quotations/`)
    const { previous } = await must(mainBuyer.call('GET', next.replace(/^https?:\/\/[^/]+/, '')))
    expect(previous).toBe(next.replace('page=2', 'page=1'))
  }
})

test('buyers list their own, a main division what waits for it', async () => {
  const { results: own } = await must(mainBuyer.call('GET', '/api/v1/my-quotations/'))
  expect(own.map(({ user }: WireQuotation) => user.id)).toEqual([mainBuyer.id, mainBuyer.id])
  const waiting = await must(mainBuyer.call('GET', '/api/v1/my-quotations/?scope=approvals'))
  expect(waiting.results.map(({ name, status }: WireQuotation) => [name, status])).toEqual([
    ['Autumn', 'request_approval'],
    ['spring in Tokyo', 'request_approval'],
  ])
  expect(waiting.count).toBe(2)
  expect((await must(owner.call('GET', '/api/v1/my-quotations/?scope=approvals'))).count).toBe(0)
  expect((await must(owner.call('GET', `/api/v1/my-quotations/?user=${mainBuyer.id}`))).count).toBe(0)
  expect((await owner.call('GET', '/api/v1/quotations/')).statusCode).toBe(403)
})

test('lists by a part of the name count up to 10,000 quotations and have pages up to there', async () => {
  const copy = (count: number, prefix: string) =>
    sql`insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, total_amount, total_units,
        net_amount, created_at, modified_at)
      select ${prefix} || n, 'Frequent', user_id, division_id, root_division_id, status, currency, total_amount, total_units,
        net_amount, created_at, modified_at
      from quotations, generate_series(1, ${count}::integer) as n where id = ${first.id}`.execute(app.database.db)
  const read = async (page: number) => {
    const { headers, statusCode, json } = await call('GET', `/api/v1/quotations/?name=frequent&limit=1000&page=${page}`)
    const { count, next, results } = json<{ count?: number; next?: string | null; results?: readonly unknown[] }>()
    return [statusCode, count, headers['x-total-count-relation'], results?.length, next]
  }
  await copy(10_000, 'A')
  expect(await read(10)).toEqual([200, 10_000, undefined, 1000, null])
  await copy(1, 'B')
  expect(await read(10)).toEqual([200, 10_000, 'gte', 1000, null])
  expect(await read(9)).toEqual([200, 10_000, 'gte', 1000, expect.stringContaining('page=10')])
  expect((await read(11))[0]).toBe(400)
})
