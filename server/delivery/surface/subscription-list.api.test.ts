import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countStatements } from '#testing/count-statements.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const { db } = database
const { projectUrl, organizationId, projectId } = await makeProjects(testApp)
const { person, authorization } = makePeople(testApp)

interface Row {
  readonly kind: string
  readonly id: string
  readonly name: string | null
  readonly target_url: string
  readonly pending: number
  readonly activity: readonly { readonly delivered: number; readonly failed: number }[]
}
const path = '/api/v1/subscriptions/'
const read = async (query = '', headers?: Record<string, string>) => {
  const answer = await call('GET', `${path}?limit=1000&${query}`, undefined, headers)
  expect(answer.statusCode).toBe(200)
  return answer.json<Row[]>()
}
const namesOf = (rows: readonly Row[]) => rows.map(({ kind, name, target_url: url }) => `${kind} ${name ?? url}`)
const subscribe = async (url: string, headers?: Record<string, string>, event = 'package.created') => {
  const answer = await call('POST', '/whisperer/hooks/', { event_type: event, target_url: url }, headers)
  return answer.json<{ id: number }>().id
}

const staff = await person({ is_staff: true })
const headers = await authorization(staff)

beforeAll(async () => {
  await subscribe('https://one.example/secret-path')
  await subscribe('https://two.example/', headers, 'shipment.*')
  const webhook = { name: 'Release channel', url: 'https://three.example/', events: ['deployment.build.created'] }
  await call('POST', `${projectUrl}/settings/webhooks`, webhook)
  await call('POST', '/api/nifi/flows', { direction: 'outbound', name: 'To SAP', target: 'https://four.example/' })
  await call('POST', '/api/nifi/flows', { direction: 'inbound', name: 'From SAP' })
})

test('superusers see every subscription, the newest first, and no secret', async () => {
  const rows = await read()
  expect(namesOf(rows)).toEqual([
    'flow To SAP',
    'project_webhook Release channel',
    'hook https://two.example/',
    'hook https://one.example/secret-path',
  ])
  expect(rows[1]).toEqual({
    kind: 'project_webhook',
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Release channel',
    target_url: 'https://three.example/',
    event_types: ['deployment.build.created'],
    is_active: true,
    health: 'healthy',
    disabled_reason: null,
    failing_since: null,
    pending: 0,
    waiting: 0,
    held: 0,
    failed_24h: 0,
    organization: { id: organizationId, name: 'Test organization' },
    project: { id: projectId, name: 'Project 1' },
    activity: Array.from({ length: 24 }, () => ({ delivered: 0, failed: 0 })),
    activity_is_exact: true,
  })
})

test('staff see their own hooks, the webhooks of their projects, and flows', async () => {
  expect(namesOf(await read('', headers))).toEqual(['flow To SAP', 'hook https://two.example/'])
  const member = { email: staff.email, role: 'viewer' }
  await call('POST', `/api/v1/organizations/${organizationId}/members`, member)
  expect(namesOf(await read('kind=project_webhook', headers))).toEqual(['project_webhook Release channel'])
})

test('a limited key sees the kinds that its scopes are for, and others than staff see nothing', async () => {
  const { key } = (
    await call('POST', '/api/v1/auth/api-keys/', { name: 'Hooks', scopes: ['hooks:read'] }, headers)
  ).json<{ key: string }>()
  expect(namesOf(await read('', { authorization: `Api-Key ${key}` }))).toEqual(['hook https://two.example/'])
  const buyer = await authorization(await person())
  expect((await call('GET', path, undefined, buyer)).statusCode).toBe(403)
})

test.each([
  ['kind=hook&q=TWO', ['hook https://two.example/']],
  ['q=secret-path', []],
  ['q=release', ['project_webhook Release channel']],
  ['q=shipment', ['hook https://two.example/']],
  ['q=four.example', ['flow To SAP']],
])('%s leaves the rows whose name, host or event has it', async (query, expected) => {
  expect(namesOf(await read(query))).toEqual(expected)
})

test('what waits, what failed and what arrived are counted, and health is filtered by', async () => {
  const id = await subscribe('https://five.example/')
  const raise = (event: string) => call('POST', '/api/v1/events/', { id: event, type: 'package.created', data: {} })
  for (const event of ['a', 'b', 'c']) await raise(event)
  await sql`
    update deliveries set status = places.status, finished_at = now()
    from (select id, (array['delivered', 'failed'])[row_number() over (order by id)] as status
          from deliveries where subscription_id = ${id} order by id limit 2) places
    where places.id = deliveries.id`.execute(db)
  await sql`update subscriptions set health = 'failing', failing_since = now() where id = ${id}`.execute(db)
  const rows = await read('health=failing')
  expect(rows).toMatchObject([{ id: String(id), health: 'failing', pending: 1, failed_24h: 1, is_active: true }])
  expect(rows[0]?.activity.at(-1)).toEqual({ delivered: 1, failed: 1 })
  expect(await read('health=failing&is_active=false')).toEqual([])
})

test('what was removed is not there any more', async () => {
  const id = await subscribe('https://removed.example/')
  expect(await read('q=removed')).toHaveLength(1)
  await call('DELETE', `/whisperer/hooks/${id}/`)
  expect(await read('q=removed')).toEqual([])
})

test('a page of 1,000 takes as many statements as one of 10', async () => {
  const [model] = await db.selectFrom('hooks').select('subscriptionId').where('removedAt', 'is', null).execute()
  await sql`
    with copied as (
      insert into subscriptions (scope, dialect, event_types, sealed, retry, is_active, created_at, modified_at)
      select scope, dialect, event_types, sealed, retry, is_active, created_at, modified_at
      from subscriptions, generate_series(1, 1000) where id = ${model?.subscriptionId} returning id
    )
    insert into hooks select (jsonb_populate_record(hooks, jsonb_build_object('subscription_id', copied.id, 'url_hash', copied.id::text))).*
    from hooks, copied where subscription_id = ${model?.subscriptionId}`.execute(db)
  const statementsOf = (limit: number) =>
    countStatements(async () => {
      const answer = await call('GET', `${path}?limit=${limit}`)
      expect(answer.json<Row[]>()).toHaveLength(limit)
    })
  await statementsOf(10)
  const few = await statementsOf(10)
  expect([few <= 8, await statementsOf(1_000)]).toEqual([true, few])
})
