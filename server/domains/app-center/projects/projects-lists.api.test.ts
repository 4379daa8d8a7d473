import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { callers, makeProjects, type Caller } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
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

/** An organization with these projects, made a second apart. @returns its URL. */
const organizationWith = async (projects: readonly object[]): Promise<string> => {
  const made = await callAs('owner', 'POST /api/v1/organizations', { name: 'With projects' })
  const url = `/api/v1/organizations/${made.json<{ _id: string }>()._id}/projects`
  for (const project of projects) {
    clock.advance(1_000)
    expect((await callAs('owner', `POST ${url}`, project)).statusCode).toBe(201)
  }
  return url
}
const slugsOf = async (url: string): Promise<string[]> => {
  const answer = await callAs('owner', `GET ${url}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ slug: string }[]>().map(({ slug }) => slug)
}

describe('the list of projects', async () => {
  const url = await organizationWith([
    { name: 'Drivers', slug: 'road', status: 'active' },
    { name: '100% Waybill', slug: 'all', status: 'inactive' },
    { name: 'drivers of trucks', slug: 'trucks' },
  ])

  test.each([
    ['has the newest last', '', ['road', 'all', 'trucks']],
    ['can begin with the newest', '?ordering=-createdAt', ['trucks', 'all', 'road']],
    ['can be ordered by id', '?ordering=-_id', ['trucks', 'all', 'road']],
    ['can be ordered by slug', '?ordering=slug', ['all', 'road', 'trucks']],
    ['can be ordered by change', '?ordering=updatedAt', ['road', 'all', 'trucks']],
    ['finds a status', '?status=active', ['road']],
    ['finds several statuses', '?status=active&status=draft', ['road', 'trucks']],
    ['finds part of a name in any case', '?name=DRIVERS', ['road', 'trucks']],
    ['takes a name as it is', '?name=0%25', ['all']],
    ['takes no part of a name for a pattern', '?name=D_ivers', []],
    ['finds a slug', '?slug=all', ['all']],
    ['finds no part of a slug', '?slug=al', []],
    ['combines filters', '?name=drivers&status=draft', ['trucks']],
    ['has pages', '?limit=2&page=2', ['trucks']],
  ])('%s', async (_, query, slugs) => {
    expect(await slugsOf(`${url}${query}`)).toEqual(slugs)
  })

  test('can be ordered by name', async () => {
    expect((await slugsOf(`${url}?ordering=name`))[0]).toBe('all')
  })

  test('says how many there are and where the others are', async () => {
    const { headers } = await callAs('owner', `GET ${url}?limit=1&status=active&status=draft`)
    expect(headers['x-total-count']).toBe('2')
    expect(headers.link).toContain('status=active&status=draft&page=2')
  })

  test.each([
    ['status=odd', 'status'],
    ['ordering=sealed', 'ordering'],
    ['limit=1001', 'limit'],
    ['page=0', 'page'],
  ])('refuses ?%s', async (query, field) => {
    const { status, errors } = await answerOf('owner', `GET ${url}?${query}`)
    expect([status, Object.keys(errors)]).toEqual([400, [field]])
  })

  test('has no project of another organization', async () => {
    expect(await slugsOf(await organizationWith([]))).toEqual([])
  })
})

describe('who may', () => {
  const statuses = async (methodAndUrl: string, body?: () => unknown) => {
    const found: Partial<Record<Caller, number>> = {}
    for (const caller of callers) found[caller] = (await callAs(caller, methodAndUrl, body?.())).statusCode
    return found
  }
  const everyone = { owner: 200, admin: 200, developer: 200, viewer: 200, outsider: 403, superuser: 200 }
  let slugs = 0

  test.each(['GET /projects', `GET ${projectUrl}`, `GET ${projectUrl}/expirations`])(
    'read: every member (%s)',
    async (methodAndUrl) => {
      expect(await statuses(methodAndUrl)).toEqual(everyone)
    },
  )

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
