import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { makeWatch, type WatchedStream } from '#testing/watch-stream.ts'

const testApp = await makeTestApp()
const { app, call, database, superuser } = testApp
const watch = await makeWatch(app)
const headers = { authorization: superuser.authorization }

interface EventItem {
  readonly id: number
  readonly type: string
  readonly object_id: string
}

const makeLocation = async (code: string): Promise<void> => {
  const answer = await call('POST', '/api/v1/stock_locations/', { code, name: code, kind: 'warehouse' })
  expect(answer.statusCode).toBe(201)
}

const ready = async (query = ''): Promise<WatchedStream> => {
  const stream = await watch({ query, headers })
  await eventually(() => expect(stream.messages.map(({ event }) => event)).toEqual(['ready']))
  return stream
}

const insertEvent = (db: typeof database.db, objectId: number) =>
  sql`insert into events (scope, type, occurred_at, object_type, object_id, sequence, body)
    values ('back-office', 'package.created', now(), 'package', ${String(objectId)}, 1, '{}')`.execute(db)

test('a stream is one that browsers and proxies take for what it is', async () => {
  const stream = await ready()
  expect(stream.status).toBe(200)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  stream.cut()
})

test('what is committed after the stream is ready is sent in its order', async () => {
  const stream = await ready('?topics=event')
  for (const code of ['A-1', 'A-2', 'A-3']) await makeLocation(code)
  await eventually(() => expect(stream.items('event')).toHaveLength(3))
  const items = stream.items<EventItem>('event')
  expect(items.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => 'stock_location.created'))
  expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((one, other) => one - other))
  expect(items[0]).toEqual({
    id: expect.any(Number),
    type: 'stock_location.created',
    object_type: 'stocklocation',
    object_id: expect.any(String),
    project: null,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  stream.cut()
})

test('only the topics that were asked for are sent, and a misspelt one is refused', async () => {
  const [mails, both] = [await ready('?topics=mail'), await ready('?topics=mail,event')]
  await makeLocation('B-1')
  await eventually(() => expect(both.items('event')).toHaveLength(1))
  expect(mails.messages.map(({ event }) => event)).toEqual(['ready'])
  const refused = await call('GET', '/api/v1/stream/?topics=mail&topics=events')
  expect([refused.statusCode, refused.json()]).toEqual([400, { topics: [expect.stringContaining('error_report')] }])
  mails.cut()
  both.cut()
})

test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
  'a transaction that commits after later ones is not missed',
  async () => {
    const stream = await ready('?topics=event')
    const seen = () => stream.items<EventItem>('event').map(({ object_id: id }) => id)
    await database.db.transaction().execute(async (tx) => {
      await insertEvent(tx, 9_001)
      await insertEvent(database.db, 9_002)
      await eventually(() => expect(seen()).toEqual(['9002']))
      // Longer than the margin by which a look goes back, and over several looks.
      await sleep(3_500)
      await insertEvent(database.db, 9_003)
      await eventually(() => expect(seen()).toEqual(['9002', '9003']))
    })
    await eventually(() => expect(seen()).toEqual(['9002', '9003', '9001']))
    stream.cut()
  },
)

test('a client whose connection breaks again and again gets everything once', async () => {
  const random = seededRandom(7)
  const total = 120
  const ids: string[] = []
  let stream = await ready('?topics=event')
  const take = (): void => {
    stream.cut()
    ids.push(...stream.items<EventItem>('event').map(({ object_id: id }) => id))
  }
  const written: string[] = []
  const write = async (): Promise<void> => {
    while (written.length < total) {
      await insertEvent(database.db, written.length + 1)
      written.push(String(written.length + 1))
      await sleep(random() * 30)
    }
  }
  let resumed = 0
  const breakAgainAndAgain = async (): Promise<void> => {
    while (written.length < total) {
      resumed += 1
      await sleep(random() * 250)
      const lastId = stream.lastId() ?? ''
      take()
      // By the header as a browser does, or by the query.
      stream = await watch(
        random() < 0.5
          ? { query: '?topics=event', headers: { ...headers, 'last-event-id': lastId } }
          : { query: `?topics=event&last_event_id=${lastId}`, headers },
      )
    }
  }
  await Promise.all([write(), breakAgainAndAgain()])
  await eventually(() => expect(ids.length + stream.items('event').length).toBeGreaterThanOrEqual(total))
  await sleep(300)
  expect(stream.messages.map(({ event }) => event)).not.toContain('reset')
  take()
  expect(ids).toEqual(written)
  expect(resumed).toBeGreaterThan(3)
})

test('who names a message that is not known any more is told to read again', async () => {
  for (const lastId of ['000000000000-1', 'anything']) {
    const stream = await watch({ headers: { ...headers, 'last-event-id': lastId } })
    await eventually(() => expect(stream.messages.map(({ event }) => event)).toEqual(['reset']))
    stream.cut()
  }
})

test('a user has 20 streams at most', async () => {
  const open = await Promise.all(Array.from({ length: 20 }, () => watch({ headers })))
  expect(open.every(({ status }) => status === 200)).toBe(true)
  const refused = await watch({ headers })
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
  open[0]?.cut()
  await eventually(async () => {
    const again = await watch({ headers })
    expect(again.status).toBe(200)
    again.cut()
  })
  for (const stream of open) stream.cut()
})

test('a server that stops does not wait for its streams', async () => {
  const stream = await ready()
  const began = performance.now()
  await app.close()
  expect(performance.now() - began).toBeLessThan(2_000)
  await eventually(() => expect(stream.isEnded()).toBe(true))
})
