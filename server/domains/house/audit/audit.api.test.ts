import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayMs } from '#platform/clock.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp({ clock: makeFakeClock(new Date()) })
const { call, database, superuser, services } = app
const { db } = database
const { person, authorization, login } = makePeople(app)

interface Entry {
  readonly id: number
  readonly user: { readonly id: number; readonly email: string } | null
  readonly action: string
  readonly object_type: string
  readonly object_id: string | null
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}
const list = async (query = ''): Promise<Entry[]> => (await call('GET', `/api/v1/audit/?${query}`)).json()
const newest = async (query = ''): Promise<Entry | undefined> => (await list(query))[0]
const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id

test('what is done to a user is told with who did it, and without secrets', async () => {
  const { id } = await person({ first_name: 'Ada', password: 'battery staple' })
  const made = await newest('action=createUser')
  expect(made).toMatchObject({
    user: { id: me, email: superuser.email },
    surface: 'POST /api/v1/users',
    object_type: 'users',
    object_id: String(id),
    before: null,
    after: { first_name: 'Ada', password: '***' },
  })
  const requestId = 'audited-by-a-test'
  await call('PATCH', `/api/v1/users/${id}/`, { first_name: 'Ida', is_active: false }, { 'x-request-id': requestId })
  expect(await newest('action=updateUser')).toMatchObject({
    object_id: String(id),
    before: { first_name: 'Ada', is_active: true },
    after: { first_name: 'Ida', is_active: false },
    request_id: expect.any(String),
  })
  expect((await list(`object_type=users&object_id=${id}`)).map(({ action }) => action)).toEqual([
    'updateUser',
    'createUser',
  ])
})

test('what is refused is not told', async () => {
  const before = await list()
  expect((await call('POST', '/api/v1/users/', { email: superuser.email })).statusCode).toBe(400)
  expect((await call('PATCH', '/api/v1/settings/', { QUOTATION_VALID_DAYS: -1 })).statusCode).toBe(400)
  expect(await list()).toEqual(before)
})

test('previews are not told, because they change nothing; what is started is', async () => {
  const hook = { event_type: 'stock_location.created', target_url: 'https://example.com/previewed' }
  const { id } = (await call('POST', '/whisperer/hooks/', hook)).json<{ id: number }>()
  const before = await list()
  const since = '2026-01-01'
  expect((await call('POST', `/whisperer/hooks/${id}/recover/`, { since })).statusCode).toBe(200)
  expect((await call('POST', '/whisperer/hook_events/retry/', { filter: {}, dry_run: true })).statusCode).toBe(200)
  expect((await call('POST', '/api/v1/orders/retry/?dry_run=true')).statusCode).toBe(200)
  expect(await list()).toEqual(before)
  expect((await call('POST', '/api/v1/orders/retry/')).statusCode).toBeLessThan(300)
  expect((await list()).length).toBe(before.length + 1)
})

test('settings are told before and after, and repeated requests once', async () => {
  await call('PATCH', '/api/v1/settings/', { QUOTATION_VALID_DAYS: 14 })
  expect(await newest()).toMatchObject({
    action: 'updateSettings',
    object_type: 'settings',
    object_id: null,
    before: { QUOTATION_VALID_DAYS: 30 },
    after: { QUOTATION_VALID_DAYS: 14 },
  })
  const invited = await person({ password: undefined })
  for (let time = 0; time < 2; time += 1)
    await call('POST', `/api/v1/users/${invited.id}/invite/`, {}, { 'idempotency-key': 'once' })
  expect(await list(`action=inviteUser&object_id=${invited.id}`)).toHaveLength(1)
})

test('subscriptions are told with their secrets masked, and so is who has seen or changed a secret', async () => {
  const hook = {
    event_type: 'package.created',
    target_url: 'https://example.com/in?token=hush',
    secret_key: 'hush hush',
    additional_headers: { 'X-Shop': 'hush' },
  }
  const { id } = (await call('POST', '/whisperer/hooks/', hook)).json<{ id: number }>()
  expect(await newest()).toMatchObject({ action: 'createHook', object_type: 'hooks', object_id: String(id) })
  await call('PATCH', `/whisperer/hooks/${id}/`, { is_active: false })
  expect(await newest()).toMatchObject({ action: 'changeHook', after: { is_active: false } })
  await call('POST', `/whisperer/hooks/${id}/secret/`, {})
  expect(await newest()).toMatchObject({ action: 'rotateHookSecret', object_id: String(id) })
  await call('POST', '/whisperer/hook_events/retry/', { filter: {}, start: true })
  expect(await newest()).toMatchObject({ action: 'retryHookEvents', object_type: 'hook_events' })
  expect(JSON.stringify(await list())).not.toContain('hush')

  const { callAs, projectUrl, people } = await makeProjects(app)
  await callAs('owner', `POST ${projectUrl}/settings/webhooks`, {
    name: 'CI',
    url: 'https://ci.example/',
    events: ['deployment.build.succeeded'],
  })
  const { rows } = await sql<{ id: string }>`select id from project_webhooks`.execute(db)
  const webhook = rows[0]?.id ?? ''
  expect((await callAs('admin', `GET ${projectUrl}/settings/webhooks/${webhook}/secret`)).statusCode).toBe(200)
  expect(await newest()).toMatchObject({
    action: 'getProjectWebhookSecret',
    user: { id: people.admin.id },
    object_type: 'webhooks',
    object_id: webhook,
    after: null,
  })
})

test('API keys, and logins that succeed or fail, are told', async () => {
  const ada = await person()
  const headers = await authorization(ada)
  const key = await call('POST', '/api/v1/auth/api-keys/', { name: 'CI', scopes: ['hooks:read'] }, headers)
  const { id, key: secret } = key.json<{ id: number; key: string }>()
  await call('DELETE', `/api/v1/auth/api-keys/${id}/`, undefined, headers)
  await login(ada.email, 'not the password')
  const [failed, removed, made, loggedIn] = await list()
  expect(failed).toMatchObject({ user: null, action: 'loginFailed', object_type: 'users', object_id: String(ada.id) })
  expect(removed).toMatchObject({ action: 'deleteApiKey', user: { id: ada.id }, object_id: String(id) })
  expect(made).toMatchObject({ action: 'createApiKey', after: { name: 'CI', scopes: ['hooks:read'] } })
  expect(loggedIn).toMatchObject({ action: 'login', user: { id: ada.id }, after: { address: '127.0.0.1' } })
  expect(JSON.stringify(await list(`user=${ada.id}`))).not.toContain(secret)
})

test('entries are not changed, are listed by page, and are forgotten after a year', async () => {
  await expect(sql`update audit_log set action = 'x'`.execute(db)).rejects.toThrow(/append-only/)
  const first = await call('GET', '/api/v1/audit/?limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
  const second = await call('GET', next.replace(/^https?:\/\/[^/]+/, ''))
  const ids = [...first.json<Entry[]>(), ...second.json<Entry[]>()].map((entry) => entry.id)
  expect(ids).toEqual(ids.toSorted((one, other) => other - one))
  expect(new Set(ids).size).toBe(4)
  const old = new Date(Date.now() - 366 * dayMs)
  await sql`insert into audit_log (surface, action, object_type, created_at) values ('GET /', 'old', 'users', ${old})`.execute(
    db,
  )
  expect(await list(`action=old&created_at__lt=${new Date().toISOString()}`)).toHaveLength(1)
  const tidy = services.find(({ name }) => name === 'tidy')
  await tidy?.start()
  await expect.poll(() => list('action=old')).toEqual([])
  await tidy?.stop()
  expect((await list()).length).toBeGreaterThan(0)
})

test('superusers alone read it', async () => {
  const staff = await authorization(await person({ is_staff: true }))
  expect((await call('GET', '/api/v1/audit/', undefined, staff)).statusCode).toBe(403)
})
