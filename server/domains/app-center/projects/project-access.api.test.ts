import { describe, expect, test } from 'vitest'
import { callers, makeProjects, type Caller } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { callAs, projectUrl } = await makeProjects(testApp)

interface Answer {
  readonly status: number
  readonly errors: Record<string, string[]>
}
const answerOf = async (caller: Caller, methodAndUrl: string, body?: unknown): Promise<Answer> => {
  const answer = await callAs(caller, methodAndUrl, body)
  return {
    status: answer.statusCode,
    errors: answer.json<{ validationError?: Answer['errors'] }>().validationError ?? {},
  }
}

/** An organization with these projects. @returns its URL. */
const organizationWith = async (projects: readonly object[]): Promise<string> => {
  const made = await callAs('owner', 'POST /api/v1/organizations', { name: 'With projects' })
  const url = `/api/v1/organizations/${made.json<{ _id: string }>()._id}/projects`
  for (const project of projects) {
    expect((await callAs('owner', `POST ${url}`, project)).statusCode).toBe(201)
  }
  return url
}
test('an organization lists no project of another', async () => {
  await organizationWith([{ name: 'Drivers', slug: 'road' }])
  expect((await callAs('owner', `GET ${await organizationWith([])}`)).json()).toEqual([])
})

describe('who may', () => {
  const statuses = async (methodAndUrl: string, body?: () => unknown) => {
    const found: Partial<Record<Caller, number>> = {}
    for (const caller of callers) found[caller] = (await callAs(caller, methodAndUrl, body?.())).statusCode
    return found
  }
  const everyone = { owner: 200, admin: 200, developer: 200, viewer: 200, outsider: 403, superuser: 200 }
  let slugs = 0

  test.each(['GET /projects', `GET ${projectUrl}`])('read: every member (%s)', async (methodAndUrl) => {
    expect(await statuses(methodAndUrl)).toEqual(everyone)
  })

  test('change: everybody but viewers', async () => {
    expect(await statuses(`PATCH ${projectUrl}`, () => ({ description: `${++slugs}` }))).toEqual({
      ...everyone,
      viewer: 403,
    })
    const made = await statuses('POST /projects', () => ({ name: 'Made', slug: `made-${++slugs}` }))
    expect(made).toEqual({ owner: 201, admin: 201, developer: 201, viewer: 403, outsider: 403, superuser: 201 })
  })

  test('know that a project exists: members and superusers', async () => {
    const unknown = '/projects/0123456789abcdef01234567'
    expect(await statuses(`GET ${unknown}`)).toEqual({
      owner: 403,
      admin: 403,
      developer: 403,
      viewer: 403,
      outsider: 403,
      superuser: 404,
    })
    expect((await answerOf('superuser', `PATCH ${unknown}`, { name: 'Changed' })).status).toBe(404)
  })

  test('nobody reaches a project through another organization', async () => {
    const other = await organizationWith([{ name: 'Other', slug: 'other' }])
    const [{ _id: id } = { _id: '' }] = (await callAs('owner', `GET ${other}`)).json<{ _id: string }[]>()
    expect((await callAs('owner', `GET ${other}/${id}`)).statusCode).toBe(200)
    for (const method of ['GET', 'PATCH']) {
      expect((await callAs('owner', `${method} /projects/${id}`)).statusCode).toBe(403)
      expect((await callAs('superuser', `${method} /projects/${id}`)).statusCode).toBe(404)
    }
  })

  test('an id that is none is named', async () => {
    expect(await answerOf('owner', 'GET /projects/17')).toEqual({
      status: 400,
      errors: { projectId: ['Expected an id of 24 hexadecimal characters.'] },
    })
  })
})
