import { beforeEach, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, database, clock, clear } = await makeHooksApp()
beforeEach(clear)

interface Histogram {
  readonly from: string
  readonly to: string
  readonly bucket_seconds: number
  readonly buckets: readonly { readonly at: string; readonly pending: number }[]
  readonly total: Readonly<Record<string, number>>
  readonly is_exact: boolean
}

const subscribe = async (as: string): Promise<number> => {
  const hook = { event_type: 'package.created', target_url: 'https://example.com/' }
  return (await call(as, 'POST /hooks/', hook)).json<{ id: number }>().id
}
const read = async (as: string, query = ''): Promise<Histogram> => {
  const answer = await call(as, `GET /hook_events/histogram/?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<Histogram>()
}
/** Deliveries are made by the clock of the database. */
const allTime = 'created_date__gte=2026-01-02&created_date__lt=2226-01-02'

test('it is of the last 24 hours in 72 parts, unless the query says otherwise', async () => {
  const { from, to, bucket_seconds: seconds, buckets, is_exact: isExact } = await read('ayse')
  expect([from, to]).toEqual([new Date(clock.now().getTime() - 86_400_000).toISOString(), clock.now().toISOString()])
  expect([seconds, buckets.length, isExact, buckets[0]?.at]).toEqual([1_200, 72, true, from])
  const hour = await read(
    'ayse',
    'created_date__gte=2026-11-21T08:00:00Z&created_date__lt=2026-11-21T09:00:00Z&buckets=10',
  )
  expect([hour.from, hour.to, hour.bucket_seconds]).toEqual([
    '2026-11-21T08:00:00.000Z',
    '2026-11-21T09:00:00.000Z',
    360,
  ])
  expect(hour.buckets.map(({ at }) => at.slice(14, 19)).join(' ')).toBe(
    '00:00 06:00 12:00 18:00 24:00 30:00 36:00 42:00 48:00 54:00',
  )
})

test('users count what was delivered to their own hooks, superusers everything', async () => {
  await subscribe('ayse')
  await subscribe('bora')
  await raise(1)
  await raise(2)
  const totals = await Promise.all(
    ['ayse', 'bora', 'root'].map(async (as) => (await read(as, allTime)).total['pending']),
  )
  expect(totals).toEqual([2, 2, 4])
  expect((await call('buyer', 'GET /hook_events/histogram/')).statusCode).toBe(403)
  expect((await call('ayse, elsewhere', 'GET /hook_events/histogram/')).statusCode).toBe(403)
})

test('the filters are those of the list, and count the same', async () => {
  const hook = await subscribe('ayse')
  for (const id of [1, 2, 3]) await raise(id)
  const [first] = await database.db.selectFrom('deliveries').select('id').orderBy('id').execute()
  await database.db
    .updateTable('deliveries')
    .set({ status: 'failed', lastStatus: 503, lastReason: 'http_503' })
    .where('id', '=', first?.id ?? 0)
    .execute()
  for (const filter of [
    'status=failed',
    'delivered=false',
    `webhook=${hook}`,
    'webhook=999',
    'event_type=package-created',
    'object_type=package&object_id=2',
    'response_http_status=503',
    'reason=http_503',
    'waiting_for_earlier=true',
  ]) {
    const { total } = await read('ayse', `${allTime}&${filter}`)
    const { retrying: _, ...statuses } = total
    const list = await call('ayse', `GET /hook_events/?${allTime}&${filter}`)
    const listed = Number(list.headers['x-total-count'])
    expect([filter, Object.values(statuses).reduce((sum, count) => sum + count)]).toEqual([filter, listed])
  }
})

test.each([
  ['created_date__gte=2026-11-22&created_date__lt=2026-11-21', 'created_date__gte'],
  ['created_date__gte=yesterday', 'created_date__gte'],
  ['buckets=9', 'buckets'],
  ['buckets=121', 'buckets'],
  ['staus=failed', 'staus'],
])('%s is 400', async (query, field) => {
  const answer = await call('ayse', `GET /hook_events/histogram/?${query}`)
  expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]])
})
