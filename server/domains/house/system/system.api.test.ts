import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database } = app
const { db } = database
const { person, authorization } = makePeople(app)
const read = async () => {
  const answer = await call('GET', '/api/v1/system/')
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test('every part says how it is, from what there really is', async () => {
  const system = await read()
  expect(system).toMatchObject({ role: 'all', engine: database.engine })
  expect(system.migrations.state).toBe('ok')
  expect(system.migrations.applied).toBe(system.migrations.expected)
  const { rows } = await sql<{ count: number }>`select count(*) as count from schema_migrations`.execute(db)
  expect(system.migrations.applied).toBe(rows[0]?.count)
  expect(system.database.version).toMatch(/^\d+/)
  expect(system.database.size_bytes).toBeGreaterThan(1_000_000)
  expect(system.history.partitions.map(({ table }: { table: string }) => table)).toEqual([
    'attempts',
    'deliveries',
    'events',
  ])
  expect(system.jobs.queues.map(({ queue }: { queue: string }) => queue)).toContain('mails')
  expect(system.mail).toMatchObject({ is_configured: false, state: 'warn' })
  expect(system.disk.total_bytes).toBeGreaterThan(system.disk.free_bytes)
  // The workers of this application are not started, which its readiness says.
  expect(system.readiness).toMatchObject({
    state: 'bad',
    reasons: { worker: expect.stringMatching(/worker of this process/) },
  })
  expect(system.state).toBe('bad')
})

test('what is lost, due and kept is counted', async () => {
  await sql`insert into invariant_violations values ('delivery_missing', 2, 2, '[1]', now())`.execute(db)
  await call('POST', '/whisperer/hooks/', { event_type: 'stock_location.created', target_url: 'https://example.com/a' })
  await call('POST', '/api/v1/stock_locations/', { code: 'A', name: 'A', kind: 'store' })
  const { id } = (await call('POST', '/api/v1/users/', { email: 'new@example.com' })).json<{ id: number }>()
  await call('POST', `/api/v1/users/${id}/invite/`)
  const { invariants, deliveries, mail } = await read()
  expect(invariants).toMatchObject({ state: 'bad', lost: 2, violations: [{ check: 'delivery_missing', found: 2 }] })
  expect(deliveries).toMatchObject({ due: 1, pending: 1, held: 0, waiting: 0 })
  expect(mail).toMatchObject({ kept: 1, waiting: 0, failed: 0 })
})

test('subscriptions that fail or were switched off by the server want a look, with what is held for them', async () => {
  const make = async (name: string): Promise<number> => {
    const body = { event_type: 'package.created', target_url: `https://example.com/${name}` }
    return (await call('POST', '/whisperer/hooks/', body)).json<{ id: number }>().id
  }
  const before = (await read()).subscriptions
  expect(before).toMatchObject({ state: 'ok', failing: 0, switched_off: 0 })
  const [off, failing, byPerson] = [await make('off'), await make('failing'), await make('person')]
  await sql`update subscriptions set is_active = false, health = 'disabled', disabled_reason = 'failing' where id = ${off}`.execute(
    db,
  )
  await sql`update subscriptions set health = 'failing' where id = ${failing}`.execute(db)
  await call('PATCH', `/whisperer/hooks/${byPerson}/`, { is_active: false })
  await sql`insert into deliveries (id, event_id, subscription_id, status, next_attempt_at)
    values (1, 1, ${off}, 'held', now()), (2, 1, ${off}, 'held', now())`.execute(db)
  const { subscriptions, deliveries } = await read()
  expect(subscriptions).toMatchObject({ state: 'warn', failing: 1, switched_off: 1, active: before.active + 1 })
  expect(subscriptions.text).toMatch(/switched off.*: 1\. Active and failing: 1\. Held deliveries: 2\./)
  expect(deliveries.held).toBe(2)
})

test('superusers alone read it, and no limited key', async () => {
  const staff = await authorization(await person({ is_staff: true }))
  expect((await call('GET', '/api/v1/system/', undefined, staff)).statusCode).toBe(403)
  const key = (await call('POST', '/api/v1/auth/api-keys/', { name: 'k', scopes: ['hooks:read'] })).json<{
    key: string
  }>()
  const limited = { authorization: `Bearer ${key.key}` }
  expect((await call('GET', '/api/v1/system/', undefined, limited)).statusCode).toBe(403)
})
