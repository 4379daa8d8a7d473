import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeVault } from '#platform/crypto/vault.ts'
import { hourMs } from '#platform/clock.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp, testSecretKey } from '#testing/make-test-app.ts'
import type { Observation } from '../health/health.ts'
import { makeRecordHealth } from '../health/record-health.ts'
import { makeSubscriptions } from '../subscriptions/subscriptions.ts'
import { firstIdOf } from '../tables/time-id.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call, database } = testApp
const { db } = database
const { projectUrl, headers } = await makeProjects(testApp)
const subscriptions = makeSubscriptions({ vault: makeVault(testSecretKey), wake: () => undefined })
const rules = { failingAfter: 5, disabledAfterMs: 5 * 24 * hourMs, probeEveryMs: hourMs }
const recordHealth = makeRecordHealth({ db, clock, rules, onChange: async () => undefined })

const subscribe = async (): Promise<number> => {
  const hook = { event_type: 'package.created', target_url: `https://example.com/${Math.random()}` }
  return (await call('POST', '/whisperer/hooks/', hook)).json<{ id: number }>().id
}
const observe = async (subscriptionId: number, fields: Partial<Observation>) => {
  const version = (await subscriptions.find(db, subscriptionId))?.version ?? 0
  const nothing = { lastSuccessAt: null, failures: 0, firstFailureAt: null, lastFailureAt: null }
  const observation = { ...nothing, retryWaitMs: 1_000, isGone: false, holdUntil: null, ...fields }
  await recordHealth([{ subscriptionId, version, observation }])
}
const fail = (id: number) => observe(id, { failures: 5, firstFailureAt: clock.now(), lastFailureAt: clock.now() })
const changesOf = async (path: string, who = {}) =>
  (await call('GET', `${path}/health/history/`, undefined, who)).json<{ change: string; reason: string | null }[]>()

test('each change of health is kept, with its time and reason, the newest first', async () => {
  const id = await subscribe()
  const path = `/whisperer/hooks/${id}`
  expect(await changesOf(path)).toEqual([])
  await fail(id)
  const failedAt = clock.now().toISOString()
  clock.advance(6 * 24 * hourMs)
  await fail(id)
  clock.advance(hourMs)
  await observe(id, { lastSuccessAt: clock.now() })
  const none = { reason: null, failures: 0, failing_since: null }
  expect(await changesOf(path)).toEqual([
    { at: clock.now().toISOString(), change: 'recovered', ...none },
    {
      at: new Date(clock.now().getTime() - hourMs).toISOString(),
      change: 'disabled',
      reason: 'failing',
      failures: 10,
      failing_since: failedAt,
    },
    { at: failedAt, change: 'failing', reason: null, failures: 5, failing_since: failedAt },
  ])
  // What changes nothing is no change.
  await observe(id, { lastSuccessAt: clock.now() })
  expect(await changesOf(path)).toHaveLength(3)
  const later = await call('GET', `${path}/health/history/?at__gt=${failedAt}&limit=1`)
  expect([later.headers['x-total-count'], later.json()]).toMatchObject(['2', [{ change: 'recovered' }]])
})

test('a receiver that says it is gone, and whoever switches a hook off and on, are in it', async () => {
  const id = await subscribe()
  await observe(id, { failures: 1, firstFailureAt: clock.now(), lastFailureAt: clock.now(), isGone: true })
  for (const active of [true, true, false]) await call('PATCH', `/whisperer/hooks/${id}/`, { is_active: active })
  const changes = await changesOf(`/whisperer/hooks/${id}`)
  expect(changes.map(({ change, reason }) => [change, reason])).toEqual([
    ['switched_off', null],
    ['switched_on', null],
    ['disabled', 'gone'],
  ])
})

test('a project’s webhook has the same, for its members', async () => {
  const body = { name: 'Channel', url: 'https://example.com/', events: ['deployment.build.created'] }
  const made = await call('POST', `${projectUrl}/settings/webhooks`, body)
  const path = String(made.headers['location'])
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\/$/, '')
  await call('PATCH', path, { active: false })
  expect(await changesOf(path, headers.viewer)).toMatchObject([{ change: 'switched_off', failingSince: null }])
  expect((await call('GET', `${path}/health/history`, undefined, headers.outsider)).statusCode).toBe(403)
  const activity = await call('GET', `${path}/activity?hours=168`, undefined, headers.viewer)
  expect(activity.json()).toMatchObject({ bucketSeconds: 86_400, total: { http2xx: 0, noAnswer: 0, p50Ms: null } })
})

test('hooks of others do not exist', async () => {
  const id = await subscribe()
  const { person, authorization } = makePeople(testApp)
  const other = await authorization(await person({ is_staff: true }))
  for (const path of ['health/history', 'activity'])
    expect((await call('GET', `/whisperer/hooks/${id}/${path}/`, undefined, other)).statusCode).toBe(404)
})

/** Deliveries of a hook that were made so long ago, each with attempts that took so long and were answered so. */
const deliver = async (
  id: number,
  made: readonly {
    ago: number
    status: string
    attempts: readonly (readonly [ms: number | null, status: number | null])[]
  }[],
) => {
  await call('POST', '/api/v1/events/', { id: `event ${id}`, type: 'package.created', data: {} })
  for (const [index, { ago, status, attempts }] of made.entries()) {
    const delivery = firstIdOf(clock.now()) - ago * 4_096 + index
    await sql`
      insert into deliveries select (jsonb_populate_record(model, jsonb_build_object('id', ${delivery}::bigint, 'status', ${status}::text))).*
      from deliveries model where subscription_id = ${id} order by id desc limit 1`.execute(db)
    const rows = attempts.map(([durationMs, responseStatus], number) => ({
      deliveryId: delivery,
      number: number + 1,
      startedAt: clock.now(),
      durationMs,
      outcome: 'retry' as const,
      responseStatus,
    }))
    await db.insertInto('attempts').values(rows).execute()
  }
}

test('activity has what became of the deliveries of each hour, and how their attempts went', async () => {
  const id = await subscribe()
  await deliver(id, [
    {
      ago: 0,
      status: 'delivered',
      attempts: [
        [30, 503],
        [20, 204],
      ],
    },
    {
      ago: hourMs - 1,
      status: 'failed',
      attempts: [
        [5_000, null],
        [40, 404],
        [10, 301],
      ],
    },
    { ago: 2 * hourMs, status: 'pending', attempts: [[null, null]] },
    { ago: 25 * hourMs, status: 'failed', attempts: [[1, 500]] },
  ])
  const answer = (await call('GET', `/whisperer/hooks/${id}/activity/`)).json<{ buckets: object[]; total: object }>()
  expect(answer).toMatchObject({ bucket_seconds: 3_600, is_exact: true })
  expect(answer.buckets).toHaveLength(24)
  const classes = { http_2xx: 1, http_3xx: 1, http_4xx: 1, http_5xx: 1, no_answer: 1 }
  expect(answer.buckets[23]).toEqual({
    at: new Date(clock.now().getTime() + 1 - hourMs).toISOString(),
    delivered: 1,
    failed: 1,
    attempts: 5,
    ...classes,
    p50_ms: 30,
    p95_ms: 5_000,
  })
  expect(answer.buckets[0]).toMatchObject({ attempts: 0, p50_ms: null, p95_ms: null })
  expect(answer.total).toMatchObject({ delivered: 1, failed: 1, attempts: 6, no_answer: 2, p50_ms: 30 })
  const week = (await call('GET', `/whisperer/hooks/${id}/activity/?hours=168`)).json<{ buckets: object[] }>()
  expect(week).toMatchObject({ bucket_seconds: 86_400, total: { failed: 2, attempts: 7 } })
  expect(week.buckets).toHaveLength(7)
})

test.each(['hours=0', 'hours=169', 'hours=x'])('activity of %s is 400', async (query) => {
  expect((await call('GET', `/whisperer/hooks/${await subscribe()}/activity/?${query}`)).statusCode).toBe(400)
})
