import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { app, call } = testApp
const people = makePeople(testApp)

/** A body that arrives after `before` has happened, and later than an authentication may be old. */
const lateBody = (payload: object, before: () => Promise<unknown>): Readable =>
  new Readable({
    async read() {
      await before()
      await sleep(150)
      this.push(JSON.stringify(payload))
      this.push(null)
    },
  })

const json = { 'content-type': 'application/json' }

test('a superuser who is deactivated while a body is on its way makes nobody a superuser', async () => {
  const boss = await people.person({ is_superuser: true })
  const headers = { ...(await people.authorization(boss)), ...json }
  const payload = { email: 'back.door@example.com', password: 'battery staple', is_superuser: true }
  const deactivate = () => call('PATCH', `/api/v1/users/${boss.id}/`, { is_active: false })
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/users/',
    headers,
    payload: lateBody(payload, deactivate),
  })
  expect(answer.statusCode).toBe(401)
  expect((await call('GET', '/api/v1/users/?email=back.door')).json()).toEqual([])
})

test('one who is demoted meanwhile has the rights that are left', async () => {
  const boss = await people.person({ is_superuser: true })
  const headers = { ...(await people.authorization(boss)), ...json }
  const organization = (await call('POST', '/api/v1/organizations', { name: 'Harbour' })).json<{ _id: string }>()
  const demote = () => call('PATCH', `/api/v1/users/${boss.id}/`, { is_superuser: false })
  const answer = await app.inject({
    method: 'PATCH',
    url: `/api/v1/organizations/${organization._id}`,
    headers,
    payload: lateBody({ name: 'Mine' }, demote),
  })
  expect(answer.statusCode).toBe(403)
})

test('a key that is deleted meanwhile is none any more, and one that is good still is', async () => {
  const { id, key } = (await call('POST', '/api/v1/auth/api-keys/', { name: 'slow' })).json<{
    id: number
    key: string
  }>()
  const headers = { authorization: `Api-Key ${key}`, ...json }
  const send = (before: () => Promise<unknown>) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/organizations',
      headers,
      payload: lateBody({ name: 'Harbour' }, before),
    })
  expect((await send(async () => undefined)).statusCode).toBe(201)
  expect((await send(() => call('DELETE', `/api/v1/auth/api-keys/${id}/`))).statusCode).toBe(401)
})
