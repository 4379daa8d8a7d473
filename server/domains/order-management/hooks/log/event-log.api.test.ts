import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { systemClock } from '#platform/clock.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const { db } = database
const { person, authorization } = makePeople(testApp)
const staff = await authorization(await person({ is_staff: true }))
const outbox = makeOutbox({ clock: systemClock, wake: () => undefined })

beforeEach(async () => {
  for (const table of ['deliveries', 'events'] as const) await db.deleteFrom(table).execute()
  for (const { id } of (await call('GET', '/whisperer/hooks/')).json<{ id: number }[]>())
    await call('DELETE', `/whisperer/hooks/${id}/`)
})

let raised = 0
const raise = async (type: string, id: number, fields: object = {}) => {
  const event = { id: `event ${raised++}`, type, data: { id, ...fields } }
  await call('POST', '/api/v1/events/', event)
  return (await db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
}
const subscribe = async (fields: object, who = {}) =>
  (await call('POST', '/whisperer/hooks/', { target_url: `https://example.com/${raised++}`, ...fields }, who)).json<{
    id: number
  }>().id
interface Row {
  readonly id: number
  readonly created_date: string
}
const read = async (query = '', who = {}) =>
  (await call('GET', `/api/v1/events/?${query}`, undefined, who)).json<Row[]>().map(({ id }) => id)

test('events are listed, the newest first, whether or not anybody listens, page by page with a cursor', async () => {
  const ids = [
    await raise('package.created', 7),
    await raise('package.status.packed', 7),
    await raise('shipment.created', 8),
  ]
  expect(await read()).toEqual(ids.toReversed())
  const answer = await call('GET', '/api/v1/events/?limit=2')
  const [first] = answer.json<Row[]>()
  expect(first).toEqual({
    id: ids[2],
    type: 'shipment.created',
    object_type: 'shipment',
    object_id: '8',
    sequence: 1,
    occurred_at: expect.any(String) as string,
    is_test: false,
    created_date: expect.any(String) as string,
  })
  const next = /<[^>]*\/(api[^>]*cursor[^>]*)>; rel="next"/.exec(String(answer.headers['link']))?.[1] ?? ''
  await raise('package.created', 9)
  expect((await call('GET', `/${next}`)).json<Row[]>().map(({ id }) => id)).toEqual([ids[0]])
})

test('they are filtered by type, object and time', async () => {
  const [one, two] = [await raise('package.created', 7), await raise('package.status.packed', 8)]
  expect(await read('type=package-created')).toEqual([one])
  expect(await read('object_type=package&object_id=8')).toEqual([two])
  expect(await read('object_type=shipment')).toEqual([])
  expect(await read('created_date__lt=2026-01-03')).toEqual([])
  expect(await read('created_date__gte=2026-01-03&type=package.status.packed')).toEqual([two])
  expect((await call('GET', '/api/v1/events/?created_date__gte=x')).statusCode).toBe(400)
})

test('one shows its data, and for each hook of the caller its delivery, or why there is none', async () => {
  const late = { event_type: 'package.created' }
  const hooks = {
    gets: await subscribe({ event_type: 'package.*' }, staff),
    filtered: await subscribe(
      { event_type: 'package.created', config: { filter: { id: { gt: 100 }, zone: 'A' } } },
      staff,
    ),
    other: await subscribe({ event_type: 'shipment.created' }, staff),
    foreign: await subscribe({ event_type: '*' }),
  }
  const id = await raise('package.created', 7, { zone: 'A' })
  const later = await subscribe(late, staff)
  const [delivery] = await db.selectFrom('deliveries').select('id').where('subscriptionId', '=', hooks.gets).execute()
  const answer = (await call('GET', `/api/v1/events/${id}/`, undefined, staff)).json<{ hooks: object[] }>()
  expect(answer).toMatchObject({ id, type: 'package.created', data: { id: 7, zone: 'A' }, hooks_left_out: 0 })
  expect(answer.hooks).toEqual([
    {
      hook: hooks.gets,
      hook_event: delivery?.id,
      status: 'pending',
      verdict: null,
      summary: null,
      unmet_conditions: [],
    },
    expect.objectContaining({
      hook: hooks.filtered,
      hook_event: null,
      verdict: 'filtered_out',
      unmet_conditions: ['id'],
    }),
    expect.objectContaining({ hook: later, verdict: 'subscribed_later' }),
    expect.objectContaining({ hook: hooks.other, status: null, verdict: 'not_subscribed' }),
  ])
  const all = (await call('GET', `/api/v1/events/${id}/`)).json<{ hooks: { hook: number }[] }>()
  expect(all.hooks.map(({ hook }) => hook)).toContain(hooks.foreign)
  expect((await call('GET', '/api/v1/events/1/')).statusCode).toBe(404)
})

test('what was sent to one hook alone, and how webhooks are doing, is for those who got it', async () => {
  const foreign = await subscribe({ event_type: 'package.created' })
  await call('POST', `/whisperer/hooks/${foreign}/ping/`)
  const data = { id: foreign, health: 'failing' } as never
  const failing = {
    type: 'webhook.failing',
    scope: 'back-office',
    object: { type: 'webhook', id: foreign },
    data,
  } as const
  await inTransaction(db, (tx) => outbox.append(tx, [failing]))
  expect(await read()).toHaveLength(2)
  expect(await read('', staff)).toEqual([])
  const [hidden] = await read()
  expect((await call('GET', `/api/v1/events/${hidden}/`, undefined, staff)).statusCode).toBe(404)
  await subscribe({ event_type: 'webhook.failing' }, staff)
  await inTransaction(db, (tx) => outbox.append(tx, [failing]))
  expect(await read('', staff)).toEqual((await read()).slice(0, 1))
})

test('a limited key also needs the scope that reads what an event is about, or the event at a hook of its own', async () => {
  const about = async (type: 'quotation' | 'webhook') => {
    const event = { scope: 'back-office', object: { type, id: 7 }, data: { id: 7 } as never } as const
    const name = type === 'quotation' ? 'quotation.created' : 'webhook.failing'
    await inTransaction(db, (tx) => outbox.append(tx, [{ type: name, ...event }]))
    return (await read())[0] ?? 0
  }
  const [parcel, quotation] = [await raise('package.created', 7), await about('quotation')]
  const keyWith = async (who: Record<string, string>, ...scopes: string[]) => {
    const made = await call('POST', '/api/v1/auth/api-keys/', { name: 'k', scopes }, who)
    return { authorization: `Bearer ${made.json<{ key: string }>().key}` }
  }
  const seen = async (...scopes: string[]) => read('', await keyWith(staff, 'hooks:read', ...scopes))
  expect(await seen()).toEqual([])
  expect(await seen('quotations:read')).toEqual([quotation])
  expect(await seen('order-management:write')).toEqual([parcel])
  const key = await keyWith(staff, 'hooks:read')
  expect((await call('GET', `/api/v1/events/${quotation}/`, undefined, key)).statusCode).toBe(404)
  const trial = { event_type: '*', filter: { id: 7 } }
  expect((await call('POST', '/whisperer/hooks/try/', trial, key)).json()).toMatchObject({ tried: 0, events: [] })
  await subscribe({ event_type: 'quotation.created' }, staff)
  const got = await about('quotation')
  expect(await seen()).toEqual([got])
  const failing = await about('webhook')
  expect(await read('', await keyWith({}, 'hooks:read'))).toEqual([failing, got])
})

test('events of projects are not among them, and others than staff see none', async () => {
  const created = { scope: 'project:x', object: { type: 'deployment', id: 'y' }, data: {} as never } as const
  await inTransaction(db, (tx) => outbox.append(tx, [{ type: 'deployment.build.created', ...created }]))
  expect(await read()).toEqual([])
  const buyer = await authorization(await person())
  expect((await call('GET', '/api/v1/events/', undefined, buyer)).statusCode).toBe(403)
})
