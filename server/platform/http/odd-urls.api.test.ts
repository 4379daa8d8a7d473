import { expect, test } from 'vitest'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call, superuser } = testApp
const { callAs, organizationId } = await makeProjects(testApp)

test('the same id in capitals is the same request to an Idempotency-Key', async () => {
  const url = (id: string) => `/api/v1/organizations/${id}/projects`
  const send = (id: string) => call('POST', url(id), { name: 'Drivers', slug: 'once' }, { 'idempotency-key': 'k1' })
  const first = await send(organizationId)
  const second = await send(organizationId.toUpperCase())
  expect([first.statusCode, second.statusCode]).toEqual([201, 201])
  expect(second.json()).toEqual(first.json())
})

test('a list says where its pages are, unless that would be more than clients read', async () => {
  const usual = await callAs('viewer', 'GET /projects?_=1')
  expect(usual.headers['link']).toContain('_=1')
  const long = await callAs('viewer', `GET /projects?_=${'y'.repeat(8_000)}`)
  expect([long.statusCode, long.headers['link'], long.headers['x-total-count']]).toEqual([
    200,
    undefined,
    expect.any(String),
  ])
})

test('what is no Idempotency-Key is refused also where there is nothing to write', async () => {
  const answer = await call('POST', '/api/v1/packages/999/pack', undefined, { 'idempotency-key': 'two words' })
  expect([answer.statusCode, answer.json()]).toEqual([400, { 'Idempotency-Key': [expect.any(String)] }])
  const login = { username: superuser.email, password: superuser.password }
  const elsewhere = await call('POST', '/api/v1/auth/login', login, { 'idempotency-key': 'two words' })
  expect(elsewhere.statusCode, 'a login takes no key, and ignores it').toBe(200)
})
