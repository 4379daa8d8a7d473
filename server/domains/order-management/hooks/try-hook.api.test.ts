import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated } from '#testing/make-deliveries.ts'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, outbox, database, clear } = await makeHooksApp()
beforeEach(clear)

interface Tried {
  readonly tried: number
  readonly matched: number
  readonly events: readonly {
    readonly object_id: string
    readonly is_match: boolean
    readonly unmet_conditions: string[]
  }[]
}
const attempt = async (body: object, as = 'ayse') => {
  const answer = await call(as, 'POST /hooks/try/', body)
  expect(answer.statusCode).toBe(200)
  return answer.json<Tried>()
}

test('each event of the types says whether the filter lets it through, and what it does not meet', async () => {
  for (const id of [1, 2, 3]) await raise(id)
  const filter = { id: { gte: 2 }, status: ['created', 'packed'], order_number: 'nothing' }
  const { tried, matched, events } = await attempt({ event_type: 'package-created', filter: { id: { gte: 2 } } })
  expect([tried, matched]).toEqual([3, 2])
  expect(events).toEqual([
    expect.objectContaining({ object_id: '3', is_match: true, unmet_conditions: [] }),
    expect.objectContaining({ object_id: '2', is_match: true, unmet_conditions: [] }),
    {
      event: expect.any(Number) as number,
      event_type: 'package.created',
      object_type: 'package',
      object_id: '1',
      occurred_at: '2026-11-21T09:30:00.000Z',
      is_match: false,
      unmet_conditions: ['id'],
    },
  ])
  const strict = await attempt({ event_type: ['package.*'], filter })
  expect(strict.events.map(({ unmet_conditions: unmet }) => unmet)).toEqual([
    ['order_number'],
    ['order_number'],
    ['id', 'order_number'],
  ])
  expect(await attempt({ event_type: 'shipment.*' })).toEqual({ tried: 0, matched: 0, events: [] })
})

test('what matches is what a hook with these settings is delivered', async () => {
  const settings = { event_type: 'package.*', filter: { id: [2, 4], 'items.quantity': { gte: 1 } } }
  const hook = {
    event_type: settings.event_type,
    target_url: 'https://example.com/',
    config: { filter: settings.filter },
  }
  await call('ayse', 'POST /hooks/', hook)
  for (const id of [1, 2, 3, 4]) await raise(id)
  const delivered = await database.db.selectFrom('deliveries').select('objectId').orderBy('id', 'desc').execute()
  const { events } = await attempt(settings)
  expect(events.filter(({ is_match: isMatch }) => isMatch).map(({ object_id: id }) => id)).toEqual(
    delivered.map(({ objectId }) => objectId),
  )
  expect(delivered).toHaveLength(2)
})

test('200 are tried, and 20 of each outcome shown; nothing is stored', async () => {
  await inTransaction(database.db, (tx) =>
    outbox.append(
      tx,
      Array.from({ length: 210 }, (_, id) => packageCreated(id + 1)),
    ),
  )
  const { tried, matched, events } = await attempt({ event_type: '*', filter: { id: { gt: 180 } } })
  expect([tried, matched, events.length]).toEqual([200, 30, 40])
  expect(events.filter(({ is_match: isMatch }) => isMatch)).toHaveLength(20)
  expect(await database.db.selectFrom('subscriptions').select('id').execute()).toEqual([])
})

test('how webhooks of others are doing is tried for superusers alone', async () => {
  const data = { id: 7, health: 'failing', disabled_reason: null, failures: 5 } as never
  const event = { type: 'webhook.failing', scope: 'back-office', object: { type: 'webhook', id: 7 }, data } as const
  await inTransaction(database.db, (tx) => outbox.append(tx, [event]))
  expect((await attempt({ event_type: 'webhook.*' }, 'root')).tried).toBe(1)
  expect((await attempt({ event_type: 'webhook.*' })).tried).toBe(0)
})

test.each([
  [{ event_type: 'pakage.created' }, ['event_type']],
  [{ event_type: ['package.created', 'nothing'] }, ['event_type.1']],
  [{ event_type: 'package.created', filter: { 'a b': 1, id: { gte: [] } } }, ['filter.a b', 'filter.id.gte']],
  [{ event_type: 'package.created', target_url: 'https://example.com/' }, ['target_url']],
  [{}, ['event_type']],
])('%j is 400', async (body, fields) => {
  const answer = await call('ayse', 'POST /hooks/try/', body)
  expect([answer.statusCode, Object.keys(answer.json()).toSorted()]).toEqual([400, fields])
})

test('is for staff whose key may read hooks', async () => {
  const codes = await Promise.all(
    ['buyer', 'ayse, elsewhere', 'ayse, reading'].map(async (as) => {
      return (await call(as, 'POST /hooks/try/', { event_type: '*' })).statusCode
    }),
  )
  expect(codes).toEqual([403, 403, 200])
})
