import { beforeEach, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, raise, redeliveries, database, clock, clear } = await makeHooksApp()
const { db } = database
// The ids of deliveries are made by the database's clock.
clock.advance(Date.now() - clock.now().getTime())
const longAgo = '2026-01-02T00:00:00Z'
beforeEach(clear)

/** A hook whose first deliveries failed. */
const failed = async (as: string, count: number): Promise<number> => {
  const hook = { event_type: 'package.created', target_url: 'https://example.com/' }
  const { id } = (await call(as, 'POST /hooks/', hook)).json<{ id: number }>()
  for (let raised = 0; raised < count; raised++) await raise(100 + raised)
  await db.updateTable('deliveries').set({ status: 'failed' }).where('subscriptionId', '=', id).execute()
  return id
}
const allJobs = () => db.selectFrom('redeliveries').selectAll().execute()
const statusesOf = async (hook: number) =>
  (await db.selectFrom('deliveries').select('status').where('subscriptionId', '=', hook).execute()).map(
    ({ status }) => status,
  )

test('a recovery of what is missing takes events from before the hook, and nothing that has a delivery', async () => {
  for (let id = 1; id <= 7; id++) await raise(id)
  const hook = await failed('ayse', 2)
  const ask = (fields: object) => call('ayse', `POST /hooks/${hook}/recover/`, { since: longAgo, ...fields })
  // Without it: only what there is a delivery of, because the others are older than the hook.
  expect((await ask({})).json()).toMatchObject({ count: 2 })
  const counted = (await ask({ missing: true, start: true, dry_run: true })).json<{ sample: object[] }>()
  expect(counted).toMatchObject({
    count: 7,
    is_exact: true,
    sample: [{ object_id: '1', hook, hook_event: null }, {}, {}, {}, {}],
  })
  expect(counted.sample).toHaveLength(5)
  expect(await allJobs()).toEqual([])
  const started = (await ask({ missing: true, start: true, per_second: 4 })).json<{ id: number }>()
  expect(started).toMatchObject({ total: 7, per_second: 4, asked: { since: expect.any(String), missing: true } })
  await redeliveries.runDue()
  expect((await call('ayse', `GET /redeliveries/${started.id}/`)).json()).toMatchObject({
    queued: 4,
    status: 'running',
  })
  clock.advance(1_000)
  await redeliveries.runDue()
  expect((await call('ayse', `GET /redeliveries/${started.id}/`)).json()).toMatchObject({ queued: 7, status: 'done' })
  expect((await statusesOf(hook)).toSorted()).toEqual([
    'failed',
    'failed',
    ...Array.from({ length: 7 }, () => 'pending'),
  ])
  expect((await ask({ missing: true })).json()).toEqual({ count: 0, is_exact: true, sample: [] })
})
