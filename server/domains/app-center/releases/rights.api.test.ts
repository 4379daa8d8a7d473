import { describe, expect, test } from 'vitest'
import { callers, makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const projects = await makeProjects(testApp)
const { callAs, projectUrl, headers } = projects
const { deployment, distribution } = makeReleases(testApp, projects)
const deployed = await deployment()
const distributed = await distribution({ deployment: deployed._id })

const newDeployment = { type: 'build', platform: 'ios', environment: 'staging' }
const operations = [
  { request: `GET ${projectUrl}/deployments`, done: 200 },
  { request: `GET ${projectUrl}/deployments/${deployed._id}`, done: 200 },
  { request: `GET ${projectUrl}/distributions`, done: 200 },
  { request: `GET ${projectUrl}/distributions/${distributed._id}`, done: 200 },
  { request: `POST ${projectUrl}/deployments`, body: newDeployment, done: 201 },
  { request: `PATCH ${projectUrl}/deployments/${deployed._id}`, body: { tag: 'x' }, done: 200 },
  { request: `POST ${projectUrl}/distributions`, body: { deployment: deployed._id, target: 'testers' }, done: 201 },
  { request: `PATCH ${projectUrl}/distributions/${distributed._id}`, body: { tag: 'x' }, done: 200 },
]

describe.each(operations)('$request', ({ request, body, done }) => {
  const isWrite = body !== undefined

  test('may be done by members, and changed by those who develop', async () => {
    const statuses = []
    for (const caller of callers) statuses.push([caller, (await callAs(caller, request, body)).statusCode])
    expect(statuses).toEqual([
      ['owner', done],
      ['admin', done],
      ['developer', done],
      ['viewer', isWrite ? 403 : done],
      ['outsider', 403],
      ['superuser', done],
    ])
  })

  test('an outsider learns nothing, whatever the project, the id and the body are', async () => {
    const [method = '', url = ''] = request.split(' ')
    const elsewhere = url.replace(/projects\/\w+/, `projects/${'f'.repeat(24)}`)
    const answers = [
      await callAs('outsider', `${method} ${url}`, isWrite ? { nonsense: true } : undefined),
      await callAs('outsider', `${method} ${elsewhere}`, body),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(
      answers.map(() => [403, { apiError: [expect.any(String)] }]),
    )
    expect((await callAs('superuser', `${method} ${elsewhere}`, body)).statusCode).toBe(404)
  })

  test('needs a credential, and of a limited key the scope of projects', async () => {
    const as = async (scope: string) => {
      const made = await testApp.call(
        'POST',
        '/api/v1/auth/api-keys/',
        { name: 'x', scopes: [scope] },
        headers.developer,
      )
      const authorization = `Api-Key ${made.json<{ key: string }>().key}`
      return (await callAs('developer', request, body, { authorization })).statusCode
    }
    expect((await callAs('developer', request, body, { authorization: 'Token x' })).statusCode).toBe(401)
    expect([await as('projects:write'), await as('projects:read'), await as('hooks:write')]).toEqual([
      done,
      isWrite ? 403 : done,
      403,
    ])
  })
})
