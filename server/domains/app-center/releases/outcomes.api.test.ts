import { beforeEach, describe, expect, test } from 'vitest'
import { catalogue, projectEventTypes, type ProjectEventType } from '#events/catalogue.ts'
import type { ReleaseStatus } from '#events/projects.ts'
import { compileFieldCheck } from '#platform/http/errors/field-errors.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { testLifecycle } from '#testing/test-lifecycle.ts'
import { releaseLifecycles, type ReleaseTerms } from './lifecycle.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const projects = await makeProjects(testApp)
const { callAs, projectUrl } = projects
const { deployment, distribution, eventsOf } = makeReleases(testApp, projects)
const { allowedActions } = releaseLifecycles.deployment
const outcomes = allowedActions({ status: 'created' })
const firstOf = (status: ReleaseStatus): readonly ReleaseStatus[] => (status === 'created' ? [] : [status])

beforeEach(() => clock.advance(60_000))

interface ReleaseBody {
  readonly status: ReleaseStatus
}

/** The things that have outcomes: how to make one, where it is, and what its events are called. */
const kinds = [
  { kind: 'deployment', make: deployment, event: 'deployment.build' },
  { kind: 'deployment', make: () => deployment({ type: 'codePush' }), event: 'deployment.codePush' },
  { kind: 'distribution', make: () => distribution(), event: 'distribution' },
] as const

describe.each(kinds)('$event', ({ kind, make, event }) => {
  const urlOf = (id: string) => `${projectUrl}/${kind}s/${id}`
  const patch = (id: string, body: unknown) => callAs('developer', `PATCH ${urlOf(id)}`, body)
  const read = async (id: string) => (await callAs('viewer', `GET ${urlOf(id)}`)).json()
  /** One in a status; then a minute passes. */
  const madeIn = async (status: ReleaseStatus): Promise<string> => {
    const { _id } = await make()
    for (const outcome of firstOf(status)) await patch(_id, { status: outcome })
    clock.advance(60_000)
    return _id
  }

  testLifecycle<ReleaseTerms, ReleaseBody, string>({
    lifecycle: releaseLifecycles[kind],
    database: testApp.database,
    about: kind,
    requesters: [
      { who: 'a developer', part: {}, call: (method, url, body) => callAs('developer', `${method} ${url}`, body) },
    ],
    reach: async (status) => ({ id: await madeIn(status) }),
    situation: ({ status }) => ({ status }),
    url: urlOf,
    shows: () => ({}),
    staysAsItIs: true,
    request: async (status, url) => ['PATCH', url, { status }],
    refusal: (code, { action, situation, part }) => {
      const reason = code === 'forbidden' ? code : releaseLifecycles[kind].reasonOf(code, action, situation, part)
      return [400, { validationError: { status: [reason] } }]
    },
    raises: (data, { to }) => [{ type: `${event}.${to}`, data }],
  })

  test.each(outcomes)('%s changes the status and says when, and nothing else', async (status) => {
    const id = await madeIn('created')
    const before = await read(id)
    const now = clock.now().toISOString()
    expect((await patch(id, { status })).json()).toEqual({ ...before, status, updatedAt: now, finishedAt: now })
  })

  test.each(outcomes)('%s: nothing else can be changed any more, what is sent back is no change', async (status) => {
    const id = await madeIn(status)
    const before = await read(id)
    const answer = await patch(id, { tag: 'late', envVersion: before.envVersion })
    expect([answer.statusCode, Object.keys(answer.json().validationError)]).toEqual([400, ['tag']])
    const both = await patch(id, { status: 'created', tag: 'late' })
    expect(Object.keys(both.json().validationError)).toEqual(['status', 'tag'])
    expect((await patch(id, before)).json()).toEqual(before)
  })

  test('the outcome and what is said with it are one change, and the event has both', async () => {
    const id = await madeIn('created')
    const answer = await patch(id, { status: 'failed', tag: 'v9', envVersion: '9' })
    expect(answer.json()).toMatchObject({ status: 'failed', tag: 'v9', envVersion: '9' })
    expect((await eventsOf(kind, id)).at(-1)?.data).toEqual(answer.json())
  })

  test('many clients that report the same outcome at once all get it, and there is one event', async () => {
    const id = await madeIn('created')
    const answers = await Promise.all(Array.from({ length: 10 }, () => patch(id, { status: 'failed' })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await eventsOf(kind, id)).toHaveLength(2)
  })

  test('of 50 reports of different outcomes at once one outcome wins, with one event', async () => {
    const id = await madeIn('created')
    const reports = Array.from({ length: 50 }, (_, index) => outcomes[index % outcomes.length])
    const answers = await Promise.all(reports.map((status) => patch(id, { status })))
    const { status: winner } = await read(id)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(
      reports.map((status) => (status === winner ? 200 : 400)),
    )
    expect((await eventsOf(kind, id)).map(({ type }) => type)).toEqual([`${event}.created`, `${event}.${winner}`])
  })
})

const checks = Object.fromEntries(
  projectEventTypes.map((type) => [
    type,
    compileFieldCheck({ ...catalogue[type].schema, additionalProperties: false }),
  ]),
)

test('each of the 12 events is raised once, and carries what the catalogue says', async () => {
  const raised: { type: string; problems: unknown }[] = []
  for (const { kind, make } of kinds) {
    for (const status of outcomes) {
      const { _id } = await make()
      await callAs('developer', `PATCH ${projectUrl}/${kind}s/${_id}`, { status })
      const events = await eventsOf(kind, _id)
      raised.push(...events.map(({ type, data }) => ({ type, problems: checks[type]?.(data) })))
    }
  }
  const created = (type: string) => type.endsWith('.created')
  const expected = projectEventTypes.flatMap((type) => (created(type) ? [type, type, type] : [type]))
  expect(raised.map(({ type }) => type).toSorted()).toEqual(expected.toSorted())
  expect(raised.map(({ problems }) => problems)).toEqual(raised.map(() => undefined))
})

test('the check of what events carry can fail', () => {
  const type: ProjectEventType = 'distribution.created'
  expect(checks[type]?.({ ...catalogue[type].example, secret: 1, versionCode: '1' })).toEqual({
    secret: [expect.any(String)],
    versionCode: [expect.any(String)],
  })
})
