import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const projects = await makeProjects(testApp)
const { callAs, organizationId, projectId, projectUrl, organizationUrl, people } = projects
const { deployment, distribution, eventsOf } = makeReleases(testApp, projects)
const url = `${projectUrl}/distributions`
const post = (body: unknown, headers: Record<string, string> = {}) => callAs('developer', `POST ${url}`, body, headers)
const patch = (id: string, body: unknown) => callAs('developer', `PATCH ${url}/${id}`, body)
const report = (id: string, status: string) => callAs('developer', `PATCH ${projectUrl}/deployments/${id}`, { status })

test('a distribution takes what it is not told from its deployment and its publisher from the caller', async () => {
  const of = await deployment({ envVersion: '1.4.0', tag: 'v1', platform: 'huawei', environment: 'staging' })
  const answer = await post({ deployment: of._id.toUpperCase(), target: 'huaweiAppGallery' })
  expect(answer.statusCode).toBe(201)
  const record = answer.json()
  const now = clock.now().toISOString()
  expect(record).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    organization: organizationId,
    project: projectId,
    deployment: of._id,
    target: 'huaweiAppGallery',
    platform: 'huawei',
    environment: 'staging',
    envVersion: '1.4.0',
    storeVersion: null,
    tag: 'v1',
    publisher: people.developer.email,
    versionCode: null,
    status: 'created',
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  })
  expect(new URL(String(answer.headers['location'])).pathname).toBe(`${url}/${record._id}`)
  const read = await callAs('viewer', `GET ${url}/${record._id}`)
  expect([read.statusCode, read.json()]).toEqual([200, record])
  expect(await eventsOf('distribution', record._id)).toEqual([
    { type: 'distribution.created', scope: `project:${projectId}`, sequence: 1, data: record },
  ])
})

test.each([
  ['another environment', { environment: 'staging' }],
  ['none of the defaults', { envVersion: null, tag: null, publisher: null }],
  ['texts at their limits', { envVersion: 'x'.repeat(100), storeVersion: 'y'.repeat(100), tag: 'z'.repeat(100) }],
  ['a long publisher', { publisher: 'x'.repeat(255), status: 'created' }],
  ['the least version code', { versionCode: 0 }],
  ['the greatest version code', { versionCode: Number.MAX_SAFE_INTEGER }],
])('%s: stored as it is sent', async (_, fields) => {
  const of = await deployment({ envVersion: '1.4.0', tag: 'v1' })
  const answer = await post({ deployment: of._id, target: 'googlePlay', ...fields })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject(fields)
})

test.each([
  ['no deployment', { deployment: undefined }, 'deployment'],
  ['null as deployment', { deployment: null }, 'deployment'],
  ['a malformed deployment', { deployment: '12' }, 'deployment'],
  ['no target', { target: undefined }, 'target'],
  ['an unknown target', { target: 'fdroid' }, 'target'],
  ["another platform's store", { target: 'appleAppStore' }, 'target'],
  ['another platform', { platform: 'huawei' }, 'platform'],
  ['an unknown platform', { platform: 'windows' }, 'platform'],
  ['an unknown environment', { environment: 'test' }, 'environment'],
  ['a version of 101 characters', { envVersion: 'x'.repeat(101) }, 'envVersion'],
  ['a store version of 101 characters', { storeVersion: 'x'.repeat(101) }, 'storeVersion'],
  ['a tag of 101 characters', { tag: 'x'.repeat(101) }, 'tag'],
  ['a publisher of 256 characters', { publisher: 'x'.repeat(256) }, 'publisher'],
  ['a negative version code', { versionCode: -1 }, 'versionCode'],
  ['half a version code', { versionCode: 1.5 }, 'versionCode'],
  ['a version code as text', { versionCode: '1' }, 'versionCode'],
  ['a version code beyond 53 bits', { versionCode: 2 ** 53 }, 'versionCode'],
  ['an outcome', { status: 'succeeded' }, 'status'],
  ['an unknown field', { channel: 'beta' }, 'channel'],
])('%s is refused, by name', async (_, fields, field) => {
  const of = await deployment()
  const answer = await post({ deployment: of._id, target: 'testers', ...fields })
  const problems = answer.json().validationError
  expect([answer.statusCode, Object.keys(problems)]).toEqual([400, [field]])
  for (const message of problems[field]) expect(message).toMatch(/^[A-Z].*\.$/)
})

test('a version code is refused for ios, on creation and later', async () => {
  const of = await deployment({ platform: 'ios' })
  const refused = await post({ deployment: of._id, target: 'appleAppStore', versionCode: 1 })
  expect([refused.statusCode, Object.keys(refused.json().validationError)]).toEqual([400, ['versionCode']])
  const made = await distribution({ deployment: of._id, target: 'appleAppStore', versionCode: null })
  const changed = await patch(made._id, { versionCode: 1 })
  expect([changed.statusCode, Object.keys(changed.json().validationError)]).toEqual([400, ['versionCode']])
  expect((await patch(made._id, { versionCode: null })).json()).toEqual(made)
})

describe('the deployment', () => {
  test('must be one of this project: an unknown one and one of another project get the same answer', async () => {
    const otherUrl = `${organizationUrl}/projects/${await projects.makeProject()}`
    const foreign = await deployment({}, otherUrl)
    const bodies = [foreign._id, 'f'.repeat(24)].map((id) => post({ deployment: id, target: 'testers' }))
    const [known, unknown] = await Promise.all(bodies)
    expect(known?.statusCode).toBe(400)
    expect(known?.json()).toEqual({ validationError: { deployment: [expect.any(String)] } })
    expect(known?.json()).toEqual(unknown?.json())
  })

  test.each(['failed', 'canceled'])('cannot be distributed when it is %s', async (status) => {
    const { _id } = await deployment()
    await report(_id, status)
    const answer = await post({ deployment: _id, target: 'testers' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { validationError: { deployment: [`A deployment that is ${status} cannot be distributed.`] } },
    ])
  })

  test('can be distributed before it is there, and once it has succeeded', async () => {
    const { _id } = await deployment()
    expect((await post({ deployment: _id, target: 'testers' })).statusCode).toBe(201)
    await report(_id, 'succeeded')
    expect((await post({ deployment: _id, target: 'googlePlay' })).statusCode).toBe(201)
  })

  test('of failing it and distributing it at once, no distribution begins after the failure', async () => {
    for (let round = 0; round < 10; round++) {
      const { _id } = await deployment()
      const [failed, made] = await Promise.all([report(_id, 'failed'), post({ deployment: _id, target: 'testers' })])
      expect(failed.statusCode).toBe(200)
      const events = await testApp.database.db
        .selectFrom('events')
        .select('type')
        .orderBy('id', 'desc')
        .limit(2)
        .execute()
      const earlier = made.statusCode === 201 ? 'distribution.created' : 'deployment.build.created'
      expect(events.map(({ type }) => type)).toEqual(['deployment.build.failed', earlier])
      expect([201, 400]).toContain(made.statusCode)
    }
  })
})

test('a record can be sent back: what the server sets is ignored, what stays as it is too', async () => {
  const before = await distribution({ tag: 'a' })
  expect((await post(before)).statusCode).toBe(201)
  const answer = await patch(before._id, { ...before, tag: 'c', platform: 'ios', target: 'googlePlay', _id: 1 })
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...before, tag: 'c' }])
})

test('what is said of it can be changed while there is no outcome, and no event is raised', async () => {
  const before = await distribution()
  clock.advance(1_000)
  const changes = { envVersion: '2.0', storeVersion: '2.0.1', tag: null, publisher: 'bora@example.com', versionCode: 7 }
  const answer = await patch(before._id, changes)
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { ...before, ...changes, updatedAt: clock.now().toISOString() },
  ])
  expect(await eventsOf('distribution', before._id)).toHaveLength(1)
  clock.advance(1_000)
  expect((await patch(before._id, changes)).json()).toEqual(answer.json())
})

test('an unknown distribution is 404, a malformed id 400, and one of another project is nobody here', async () => {
  const { _id } = await distribution()
  const otherUrl = `${organizationUrl}/projects/${await projects.makeProject()}/distributions`
  for (const call of [
    () => callAs('developer', `GET ${otherUrl}/${_id}`),
    () => callAs('developer', `PATCH ${otherUrl}/${_id}`, { status: 'succeeded' }),
    () => callAs('developer', `PATCH ${url}/${'f'.repeat(24)}`, { status: 'succeeded' }),
  ]) {
    expect((await call()).statusCode).toBe(404)
  }
  const malformed = await callAs('developer', `GET ${url}/${_id}0`)
  expect([malformed.statusCode, Object.keys(malformed.json().validationError)]).toEqual([400, ['distributionId']])
  expect((await callAs('viewer', `GET ${url}/${_id}`)).json().status).toBe('created')
})

test('a key makes one distribution and one event, however often the request is sent', async () => {
  const body = { deployment: (await deployment())._id, target: 'testers' }
  const headers = { 'idempotency-key': 'once' }
  const answers = await Promise.all([post(body, headers), post(body, headers), post(body, headers)])
  expect(new Set(answers.map(({ body: text }) => text)).size).toBe(1)
  expect(await eventsOf('distribution', answers[0]?.json()._id)).toHaveLength(1)
})
