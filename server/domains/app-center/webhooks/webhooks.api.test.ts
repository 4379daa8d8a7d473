import { beforeEach, describe, expect, test } from 'vitest'
import { projectEventTypes } from '#events/catalogue.ts'
import { callers, makeProjects, type Caller } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import type { WebhookRecord } from './schemas.ts'

const testApp = await makeTestApp()
const { database } = testApp
const { organizationId, organizationUrl, projectUrl, callAs, makeProject, headers } = await makeProjects(testApp)
const collection = `${projectUrl}/settings/webhooks`
const unknownId = 'ffffffffffffffffffffffff'

const valid = {
  name: 'Release channel',
  url: 'https://hooks.example.com/builds?team=7',
  events: ['deployment.build.succeeded', 'distribution.failed'],
}

/** Makes a webhook. @returns its path. */
const make = async (fields: object = {}, url = collection): Promise<string> => {
  const answer = await callAs('developer', `POST ${url}`, { ...valid, ...fields })
  expect(answer.statusCode).toBe(201)
  return new URL(String(answer.headers.location)).pathname
}
const get = async (path: string): Promise<WebhookRecord> => (await callAs('viewer', `GET ${path}`)).json()

beforeEach(async () => {
  await database.db.deleteFrom('projectWebhooks').execute()
})

describe('a webhook', () => {
  test('is made with the project as the answer, and Location names it', async () => {
    const answer = await callAs('developer', `POST ${collection}`, valid)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual((await callAs('viewer', `GET ${projectUrl}`)).json())
    expect(answer.json()).toMatchObject({ organization: organizationId, status: 'draft' })
    const path = new URL(String(answer.headers.location)).pathname
    expect(path).toMatch(new RegExp(`^${collection}/[0-9a-f]{24}$`))

    const webhook = await get(path)
    expect(webhook).toEqual({
      _id: path.split('/').at(-1),
      ...valid,
      headers: {},
      active: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      updatedAt: webhook.createdAt,
    })
  })

  test('keeps everything that it is made with; events come once each, in the order of the documentation', async () => {
    const path = await make({
      headers: { 'X-Team': 'mobile' },
      active: false,
      events: ['distribution.created', 'deployment.build.created', 'distribution.created'],
    })
    expect(await get(path)).toMatchObject({
      headers: { 'X-Team': 'mobile' },
      active: false,
      events: ['deployment.build.created', 'distribution.created'],
    })
    const all = await make({ events: projectEventTypes })
    expect((await get(all)).events).toEqual(projectEventTypes)
  })

  test('can be made once more with the same URL', async () => {
    const [one, other] = [await make(), await make()]
    expect(one).not.toBe(other)
  })

  test('is changed where the body says so, with the project as the answer', async () => {
    const path = await make({ headers: { 'X-Team': 'mobile' } })
    const before = await get(path)
    const answer = await callAs('developer', `PATCH ${path}`, { name: 'Other', events: ['distribution.created'] })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual((await callAs('viewer', `GET ${projectUrl}`)).json())
    const after = await get(path)
    expect(after).toEqual({
      ...before,
      name: 'Other',
      events: ['distribution.created'],
      updatedAt: after.updatedAt,
    })
    expect(after.updatedAt > before.updatedAt).toBe(true)

    await callAs('developer', `PATCH ${path}`, { active: false, headers: {} })
    expect(await get(path)).toMatchObject({ name: 'Other', active: false, headers: {}, url: valid.url })
  })

  test('takes its own record back', async () => {
    const path = await make({ headers: { 'X-Api-Key': 'k', 'X-Team': 'mobile' } })
    const record = await get(path)
    const answer = await callAs('developer', `PATCH ${path}`, { ...record, _id: unknownId, name: 'Renamed' })
    expect(answer.statusCode).toBe(200)
    expect(await get(path)).toMatchObject({ ...record, name: 'Renamed', updatedAt: expect.any(String) })
    const { headers: _, ...rest } = record
    expect((await callAs('developer', `POST ${collection}`, rest)).statusCode).toBe(201)
  })

  test('is removed, and then nothing of it is there but the log', async () => {
    const path = await make()
    const answer = await callAs('developer', `DELETE ${path}`)
    expect(answer.statusCode).toBe(204)
    expect(answer.body).toBe('')
    for (const [method, url] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/secret`],
      ['POST', `${path}/secret`],
      ['DELETE', `${path}/secret/previous`],
      ['POST', `${path}/ping`],
      ['GET', `${path}/health`],
      ['POST', `${path}/recover`],
      ['POST', `${path}/deliveries/00000000000000000000000f/retry`],
    ] as const) {
      const gone = await callAs('admin', `${method} ${url}`, method === 'PATCH' ? { name: 'x' } : undefined)
      expect([method, url, gone.statusCode, gone.json()]).toEqual([method, url, 404, { apiError: ['Not found.'] }])
    }
    expect((await callAs('viewer', `GET ${path}/deliveries`)).json()).toEqual([])
    expect((await callAs('viewer', `GET ${collection}`)).json()).toEqual([])
    const live = await database.db.selectFrom('subscriptions').select('id').where('deletedAt', 'is', null).execute()
    const kept = await database.db.selectFrom('subscriptionEvents').select('subscriptionId').execute()
    expect(kept.every(({ subscriptionId }) => live.some(({ id }) => id === subscriptionId))).toBe(true)
  })

  test('of another project is not found', async () => {
    const path = await make()
    const other = `${organizationUrl}/projects/${await makeProject()}/settings/webhooks`
    const id = String(path.split('/').at(-1))
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await callAs('owner', `${method} ${other}/${id}`, method === 'PATCH' ? {} : undefined)
      expect([method, answer.statusCode]).toEqual([method, 404])
    }
    expect((await callAs('viewer', `GET ${other}`)).json()).toEqual([])
    expect((await get(path))._id).toBe(id)
  })

  test('has an id of 24 hexadecimal characters, in any case; anything else is named', async () => {
    const path = await make()
    const id = String(path.split('/').at(-1))
    expect((await get(`${collection}/${id.toUpperCase()}`))._id).toBe(id)
    for (const [method, url] of [
      ['GET', '/xyz'],
      ['PATCH', '/xyz'],
      ['DELETE', `/${id}0`],
      ['GET', '/xyz/secret'],
      ['POST', '/xyz/ping'],
      ['GET', '/xyz/deliveries'],
    ] as const) {
      const answer = await callAs('owner', `${method} ${collection}${url}`, method === 'PATCH' ? {} : undefined)
      expect([url, answer.statusCode]).toEqual([url, 400])
      expect(answer.json()).toEqual({ validationError: { webhookId: [expect.stringContaining('24')] } })
    }
  })
})

describe('the list', () => {
  test('has pages, the newest last', async () => {
    for (const name of ['a', 'b', 'c']) await make({ name })
    const all = await callAs('viewer', `GET ${collection}`)
    expect(all.statusCode).toBe(200)
    const webhooks = all.json<WebhookRecord[]>()
    expect(webhooks.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(all.headers['x-total-count']).toBe('3')

    const page = await callAs('viewer', `GET ${collection}?limit=2&page=2`)
    expect(page.json<WebhookRecord[]>().map(({ name }) => name)).toEqual(['c'])
    expect(page.headers.link).toContain('rel="prev"')
    const named = await callAs('viewer', `GET ${collection}?ordering=-name`)
    expect(named.json<WebhookRecord[]>().map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    expect(await get(`${collection}/${webhooks[1]?._id}`)).toEqual(webhooks[1])
    for (const bad of ['limit=0', 'page=x', 'ordering=url']) {
      const answer = await callAs('viewer', `GET ${collection}?${bad}`)
      expect(answer.json()).toHaveProperty(['validationError', String(bad.split('=')[0])])
    }
  })
})

describe('a project has at most 50 webhooks', () => {
  test('also when ten are made at once', async () => {
    await Promise.all(Array.from({ length: 45 }, () => make()))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callAs('developer', `POST ${collection}`, valid)),
    )
    const count = (status: number): number => answers.filter(({ statusCode }) => statusCode === status).length
    expect([count(201), count(400)]).toEqual([5, 5])
    const refused = answers.find(({ statusCode }) => statusCode === 400)
    expect(refused?.json()).toEqual({ validationError: { non_field_errors: [expect.stringContaining('50')] } })
    expect((await callAs('viewer', `GET ${collection}?limit=1`)).headers['x-total-count']).toBe('50')

    const other = `${organizationUrl}/projects/${await makeProject()}/settings/webhooks`
    await make({}, other)
    const [first] = (await callAs('viewer', `GET ${collection}`)).json<WebhookRecord[]>()
    await callAs('developer', `DELETE ${collection}/${first?._id}`)
    await make()
  })
})

test('an Idempotency-Key makes one webhook of two requests', async () => {
  const key = { 'idempotency-key': 'once' }
  const [one, other] = [
    await callAs('developer', `POST ${collection}`, valid, key),
    await callAs('developer', `POST ${collection}`, valid, key),
  ]
  expect(other.headers.location).toBe(one.headers.location)
  expect((await callAs('viewer', `GET ${collection}`)).json()).toHaveLength(1)
})

describe('who may do what', () => {
  const may: readonly (readonly [least: Caller, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string])[] = [
    ['viewer', 'GET', ''],
    ['developer', 'POST', ''],
    ['viewer', 'GET', '/:id'],
    ['developer', 'PATCH', '/:id'],
    ['admin', 'GET', '/:id/secret'],
    ['admin', 'POST', '/:id/secret'],
    ['admin', 'DELETE', '/:id/secret/previous'],
    ['developer', 'POST', '/:id/ping'],
    ['viewer', 'GET', '/:id/health'],
    ['developer', 'POST', '/:id/recover'],
    ['viewer', 'GET', '/:id/deliveries'],
    ['viewer', 'GET', '/:id/deliveries/00000000000000000000000f'],
    ['viewer', 'GET', '/:id/deliveries/00000000000000000000000f/explain'],
    ['developer', 'POST', '/:id/deliveries/00000000000000000000000f/retry'],
    ['developer', 'DELETE', '/:id'],
  ]
  const members = callers.slice(0, 4)

  test.each(may)('%s: %s …%s', async (least, method, path) => {
    for (const caller of callers) {
      const url = (await make()).replace(collection, '')
      const body = method === 'POST' && path === '' ? valid : undefined
      const sent = method === 'PATCH' ? { name: 'x' } : body
      const { statusCode, json } = await callAs(caller, `${method} ${collection}${path.replace('/:id', url)}`, sent)
      const isAllowed =
        caller === 'superuser' || (members.includes(caller) && members.indexOf(caller) <= members.indexOf(least))
      expect([caller, statusCode === 403]).toEqual([caller, !isAllowed])
      const refusal =
        caller === 'outsider'
          ? 'You do not have permission, or there is no such organization or project.'
          : 'You do not have permission to perform this action.'
      expect(statusCode === 403 ? json() : undefined).toEqual(isAllowed ? undefined : { apiError: [refusal] })
    }
  })

  test('nobody without a credential', async () => {
    const answer = await testApp.app.inject({ method: 'GET', url: collection })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ apiError: [expect.any(String)] })
  })

  test('a member with the key in x-access-token', async () => {
    const token = headers.viewer.authorization.replace('Token ', '')
    const answer = await testApp.app.inject({ method: 'GET', url: collection, headers: { 'x-access-token': token } })
    expect(answer.statusCode).toBe(200)
  })

  test('a key that is limited to reading reads, but not the secret, and is told what it lacks', async () => {
    const key = await callAs('owner', 'POST /api/v1/auth/api-keys/', { name: 'r', scopes: ['projects:read'] })
    const limited = { authorization: `Api-Key ${key.json<{ key: string }>().key}` }
    const path = await make()
    const status = async (method: 'GET' | 'POST', url: string) =>
      (await testApp.call(method, url, method === 'POST' ? valid : undefined, limited)).statusCode
    expect(await status('GET', path)).toBe(200)
    expect(await status('GET', `${path}/secret`)).toBe(403)
    const refused = await testApp.call('POST', collection, valid, limited)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { apiError: ['This key lacks the scope projects:write.'] },
    ])
  })
})

test('the webhooks of an organization end with it', async () => {
  const made = await callAs('outsider', 'POST /api/v1/organizations', { name: 'Short-lived' })
  const organization = made.json<{ _id: string }>()._id
  const project = await makeProject(organization)
  const url = `/api/v1/organizations/${organization}/projects/${project}/settings/webhooks`
  expect((await callAs('outsider', `POST ${url}`, valid)).statusCode).toBe(201)
  const removedFirst = await callAs('outsider', `POST ${url}`, valid)
  await callAs('outsider', `DELETE ${new URL(String(removedFirst.headers.location)).pathname}`)
  const before = await database.db
    .selectFrom('projectWebhooks')
    .select('subscriptionId')
    .where('projectId', '=', project)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const removed = await callAs('outsider', `DELETE /api/v1/organizations/${organization}`)
  expect(removed.statusCode).toBe(204)
  const subscription = await database.db
    .selectFrom('subscriptions')
    .select(['isActive', 'deletedAt'])
    .where('id', '=', before.subscriptionId)
    .executeTakeFirst()
  expect(subscription).toMatchObject({ isActive: false, deletedAt: expect.any(Date) })
  const kept = await database.db.selectFrom('projectWebhooks').select('id').where('projectId', '=', project).execute()
  expect(kept).toEqual([])
})
