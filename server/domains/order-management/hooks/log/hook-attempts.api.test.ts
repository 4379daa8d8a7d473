import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, database, installationId, clear } = await makeHooksApp()
const { db } = database
interface Row {
  readonly hook_event: number
  readonly number: number
  readonly outcome: string
}
let hook = 0
let events: readonly number[] = []

/** Three hook events of each of two hooks, with three attempts each: 503, no answer, 200. */
beforeEach(async () => {
  await clear()
  const body = { event_type: 'package.created', target_url: 'https://example.com/' }
  hook = (await call('ayse', 'POST /hooks/', body)).json().id
  await call('bora', 'POST /hooks/', body)
  for (const id of [1, 2, 3]) await raise(id)
  await sql`
    insert into attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status, next_attempt_at)
    select id, number, ${new Date('2031-11-21T09:00:00Z')}::timestamptz + number * interval '1 minute',
      (array[100, null, 300])[number], (array['retry', 'unknown', 'delivered'])[number],
      (array['http_503', null, 'delivered'])[number], (array[503, null, 200])[number], null
    from deliveries, generate_series(1, 3) number`.execute(db)
  const rows = await db.selectFrom('deliveries').select('id').where('subscriptionId', '=', hook).orderBy('id').execute()
  events = rows.map(({ id }) => id)
})

const list = async (query = '', as = 'ayse') => {
  const answer = await call(as, `GET /hooks/${hook}/attempts/?${query}`)
  const rows = answer.json<Row[]>()
  return {
    status: answer.statusCode,
    rows,
    link: String(answer.headers['link']),
    count: Number(answer.headers['x-total-count']),
  }
}
const places = (rows: readonly Row[]) => rows.map(({ hook_event: id, number }) => `${events.indexOf(id)}.${number}`)
const all = ['2.3', '2.2', '2.1', '1.3', '1.2', '1.1', '0.3', '0.2', '0.1']

test('are those of the newest hook event first, the last one first, and of no other hook', async () => {
  const { rows, count } = await list()
  expect([places(rows), count]).toEqual([all, 9])
  const [last, died] = rows
  const uuid = webhookIdOf(events[2] ?? 0, installationId)
  expect(last).toEqual({
    hook_event: events[2],
    uuid,
    event_type: 'package.created',
    number: 3,
    started_at: '2031-11-21T09:03:00.000Z',
    ended_at: '2031-11-21T09:03:00.300Z',
    duration_ms: 300,
    outcome: 'delivered',
    reason: 'delivered',
    response_http_status: 200,
    next_due: null,
  })
  expect(died).toMatchObject({ ended_at: null, duration_ms: null, outcome: 'unknown', response_http_status: null })
})

test.each(['-hook_event', 'hook_event'])('are followed by cursors to the end, ordered by %s', async (ordering) => {
  const found: string[] = []
  for (let query: string | undefined = `limit=2&ordering=${ordering}`; query !== undefined;) {
    const { rows, link } = await list(query)
    found.push(...places(rows))
    query = /attempts\/\?([^>]*)>; rel="next"/.exec(link)?.[1]
  }
  const ascending = all.map((place) => place.split('.')[0]).toReversed()
  expect(found.map((place) => place.split('.')[0])).toEqual(
    ordering === 'hook_event' ? ascending : all.map((place) => place.split('.')[0]),
  )
  expect(new Set(found)).toEqual(new Set(all))
})

test.each<[string, readonly string[]]>([
  ['outcome=retry', ['2.1', '1.1', '0.1']],
  ['response_http_status=200', ['2.3', '1.3', '0.3']],
  ['outcome=unknown', ['2.2', '1.2', '0.2']],
  ['outcome=delivered', ['2.3', '1.3', '0.3']],
  ['response_http_status=503', ['2.1', '1.1', '0.1']],
  ['response_http_status__gte=500', ['2.1', '1.1', '0.1']],
  ['response_http_status__gt=299', ['2.1', '1.1', '0.1']],
  ['response_http_status__gt=199', ['2.3', '2.1', '1.3', '1.1', '0.3', '0.1']],
  ['response_http_status__lt=200', []],
  ['response_http_status__lte=200', ['2.3', '1.3', '0.3']],
  ['response_http_status__lt=500', ['2.3', '1.3', '0.3']],
  ['started_at__gt=2031-11-21T09:02:00Z', ['2.3', '1.3', '0.3']],
  ['started_at=2031-11-21T09:02:00Z', ['2.2', '1.2', '0.2']],
  ['started_at__lte=2031-11-21T09:01:00Z&outcome=delivered', []],
  ['started_at__lt=2031-11-01T00:00:00Z', []],
  ['started_at__gte=2031-11-22', []],
  ['started_at=2031-11-21&outcome=delivered', ['2.3', '1.3', '0.3']],
])('are filtered by %s', async (query, expected) => {
  expect(places((await list(query)).rows)).toEqual(expected)
})

test('of one hook event are found by its id', async () => {
  expect(places((await list(`hook_event=${events[1]}`)).rows)).toEqual(['1.3', '1.2', '1.1'])
})

test('of a removed hook can still be read, those of somebody else never', async () => {
  expect((await list('', 'bora')).status).toBe(404)
  expect((await list('', 'root')).count).toBe(9)
  await call('ayse', `DELETE /hooks/${hook}/`)
  expect((await list()).count).toBe(9)
})

test.each([
  'cursor=x',
  `cursor=${Buffer.from('["-hook_event","a","b"]').toString('base64url')}`,
  'outcome=lost',
  'page=10001',
  'status=1',
])('are refused by %s', async (query) => {
  expect((await list(query)).status).toBe(400)
})
