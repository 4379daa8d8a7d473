import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const projects = await makeProjects(testApp)
const { callAs, organizationId, projectId, projectUrl, organizationUrl } = projects
const { deployment, eventsOf } = makeReleases(testApp, projects)
const url = `${projectUrl}/deployments`
const post = (body: unknown, headers: Record<string, string> = {}) => callAs('developer', `POST ${url}`, body, headers)
const patch = (id: string, body: unknown) => callAs('developer', `PATCH ${url}/${id}`, body)
const minimal = { type: 'build', platform: 'android', environment: 'production' }
const objectId = /^[0-9a-f]{24}$/

test('a deployment is created with its defaults, can be read, and raises its event', async () => {
  const answer = await post(minimal)
  expect(answer.statusCode).toBe(201)
  const record = answer.json()
  const now = clock.now().toISOString()
  expect(record).toEqual({
    _id: expect.stringMatching(objectId),
    organization: organizationId,
    project: projectId,
    ...minimal,
    envVersion: null,
    tag: null,
    description: null,
    status: 'created',
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  })
  expect(new URL(String(answer.headers['location'])).pathname).toBe(`${url}/${record._id}`)
  const read = await callAs('viewer', `GET ${url}/${record._id}`)
  expect([read.statusCode, read.json()]).toEqual([200, record])
  expect(await eventsOf('deployment', record._id)).toEqual([
    { type: 'deployment.build.created', scope: `project:${projectId}`, sequence: 1, data: record },
  ])
})

test.each([
  ['another type', { type: 'codePush' }],
  ['another platform', { platform: 'huawei' }],
  ['another environment', { platform: 'ios', environment: 'staging' }],
  ['texts at their limits', { envVersion: 'x'.repeat(100), tag: 'y'.repeat(100), description: 'z'.repeat(255) }],
  ['texts beyond the basic plane', { tag: '🚀'.repeat(100) }],
  ['no texts', { envVersion: null, tag: null, description: null }],
  ['the status that it has anyway', { description: '', status: 'created' }],
])('%s: stored as it is sent', async (_, fields) => {
  const answer = await post({ ...minimal, ...fields })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject(fields)
})

test.each([
  ['no type', { type: undefined }, 'type'],
  ['a type in other letters', { type: 'Build' }, 'type'],
  ['no platform', { platform: undefined }, 'platform'],
  ['an unknown platform', { platform: 'windows' }, 'platform'],
  ['null as platform', { platform: null }, 'platform'],
  ['no environment', { environment: undefined }, 'environment'],
  ['an unknown environment', { environment: 'test' }, 'environment'],
  ['a version of 101 characters', { envVersion: 'x'.repeat(101) }, 'envVersion'],
  ['an empty version', { envVersion: '' }, 'envVersion'],
  ['a number as version', { envVersion: 1 }, 'envVersion'],
  ['a tag of 101 characters', { tag: 'x'.repeat(101) }, 'tag'],
  ['an empty tag', { tag: '' }, 'tag'],
  ['a NUL in the tag', { tag: '\u0000' }, 'tag'],
  ['a description of 256 characters', { description: 'x'.repeat(256) }, 'description'],
  ['a list as description', { description: ['x'] }, 'description'],
  ['an outcome', { status: 'succeeded' }, 'status'],
  ['another outcome', { status: 'failed' }, 'status'],
  ['a third outcome', { status: 'canceled' }, 'status'],
  ['an unknown status', { status: 'running' }, 'status'],
  ['null as status', { status: null }, 'status'],
  ['an unknown field', { deployedBy: 'x' }, 'deployedBy'],
])('%s is refused, by name', async (_, fields, field) => {
  const answer = await post({ ...minimal, ...fields })
  const problems = answer.json().validationError
  expect([answer.statusCode, Object.keys(problems)]).toEqual([400, [field]])
  for (const message of problems[field]) expect(message).toMatch(/^[A-Z].*\.$/)
})

test.each([[[]], ['text'], [null], [1], ['{']])('the body %j is refused', async (body) => {
  const answer = await post(body, { 'content-type': 'application/json' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toHaveProperty('validationError')
})

test('a record can be sent back: what the server sets is ignored, what stays as it is too', async () => {
  const before = await deployment({ tag: 'a' })
  const copy = await post({ ...before, tag: 'b' })
  expect(copy.statusCode).toBe(201)
  expect(copy.json()._id).not.toBe(before._id)
  const answer = await patch(before._id, { ...before, tag: 'c', platform: 'ios', finishedAt: 'x', _id: 1 })
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...before, tag: 'c' }])
})

test('texts can be changed while there is no outcome, and no event is raised', async () => {
  const before = await deployment({ tag: 'a', description: 'b' })
  clock.advance(1_000)
  const answer = await patch(before._id, { envVersion: '2.0', tag: null, description: 'c' })
  const after = { ...before, envVersion: '2.0', tag: null, description: 'c', updatedAt: clock.now().toISOString() }
  expect([answer.statusCode, answer.json()]).toEqual([200, after])
  expect((await callAs('viewer', `GET ${url}/${before._id}`)).json()).toEqual(after)
  expect(await eventsOf('deployment', before._id)).toHaveLength(1)
})

test.each([{}, { tag: 'a' }, { status: 'created' }])('%j, which changes nothing, leaves updatedAt', async (body) => {
  const before = await deployment({ tag: 'a' })
  clock.advance(1_000)
  const answer = await patch(before._id, body)
  expect([answer.statusCode, answer.json()]).toEqual([200, before])
})

test.each([
  ['a tag of 101 characters', { tag: 'x'.repeat(101) }, 'tag'],
  ['a description of 256 characters', { description: 'x'.repeat(256) }, 'description'],
  ['an unknown status', { status: 'done' }, 'status'],
  ['null as status', { status: null }, 'status'],
  ['an unknown field', { createdBy: 1 }, 'createdBy'],
])('%s is refused, by name, as a change too', async (_, body, field) => {
  const { _id } = await deployment()
  const answer = await patch(_id, body)
  expect([answer.statusCode, Object.keys(answer.json().validationError)]).toEqual([400, [field]])
})

test('a key makes one deployment and one event, however often the request is sent', async () => {
  const headers = { 'idempotency-key': 'once' }
  const answers = [await post(minimal, headers), await post(minimal, headers), await post(minimal, headers)]
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(await eventsOf('deployment', answers[0]?.json()._id)).toHaveLength(1)
  expect((await post({ ...minimal, tag: 'x' }, headers)).statusCode).toBe(409)
})

describe('what is not there', () => {
  const unknown = 'f'.repeat(24)

  test('an unknown deployment is 404', async () => {
    for (const method of ['GET', 'PATCH'] as const) {
      const answer = await callAs('developer', `${method} ${url}/${unknown}`, method === 'GET' ? undefined : {})
      expect([answer.statusCode, answer.json()]).toEqual([404, { apiError: ['Not found.'] }])
    }
  })

  test('the id is 24 hexadecimal characters of any case; anything else is 400 and named', async () => {
    const { _id } = await deployment()
    expect((await callAs('viewer', `GET ${url}/${_id.toUpperCase()}`)).json()).toMatchObject({ _id })
    for (const id of ['1', `${_id}0`, 'g'.repeat(24), '%20']) {
      const answer = await callAs('developer', `PATCH ${url}/${id}`, { status: 'failed' })
      expect([answer.statusCode, Object.keys(answer.json().validationError)]).toEqual([400, ['deploymentId']])
    }
  })

  test("another project's deployment is 404, for reading and for writing, and stays as it is", async () => {
    const otherUrl = `${organizationUrl}/projects/${await projects.makeProject()}`
    const other = await deployment({}, otherUrl)
    expect((await callAs('developer', `GET ${url}/${other._id}`)).statusCode).toBe(404)
    expect((await patch(other._id, { status: 'failed' })).statusCode).toBe(404)
    expect((await callAs('viewer', `GET ${otherUrl}/deployments/${other._id}`)).json()).toEqual(other)
    const list = await callAs('viewer', `GET ${otherUrl}/deployments`)
    expect(list.json()).toEqual([other])
  })
})
