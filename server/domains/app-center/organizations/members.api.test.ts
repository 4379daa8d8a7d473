import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects, type Caller } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call } = testApp
const { person, authorization } = makePeople(testApp)
const { callAs, people, organizationId, organizationUrl } = await makeProjects(testApp)

const memberUrl = (userId: number | string) => `/members/${userId}`
/** Somebody new in the organization. */
const newMember = async (role: string) => {
  const somebody = await person()
  const answer = await callAs('owner', 'POST /members', { email: somebody.email, role })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return { ...somebody, headers: await authorization(somebody), url: memberUrl(somebody.id) }
}
const roleOf = async (userId: number): Promise<string | undefined> => {
  const list = (await callAs('viewer', 'GET /members?limit=1000')).json<{ userId: number; role: string }[]>()
  return list.find((one) => one.userId === userId)?.role
}

test('somebody who is no member is not found as one; what is no id is named', async () => {
  const nobody = await callAs('viewer', `GET ${memberUrl(people.outsider.id)}`)
  expect([nobody.statusCode, nobody.json()]).toEqual([404, { apiError: ['Not found.'] }])
  const malformed = await callAs('viewer', `GET ${memberUrl('1e3')}`)
  expect([malformed.statusCode, malformed.json()]).toEqual([
    400,
    { validationError: { userId: ['Expected a positive integer.'] } },
  ])
})

test('the caller sees which organizations are theirs, and as what; a key that may not read them sees none', async () => {
  const me = async (headers: Readonly<Record<string, string>>) =>
    (await call('GET', '/api/v1/auth/me', undefined, headers)).json<{ organizations: object[] }>().organizations
  const somebody = await newMember('developer')
  const here = { _id: organizationId, name: 'Test organization', role: 'developer' }
  expect(await me(somebody.headers)).toEqual([here])

  const withScope = async (scope: string) => {
    const key = await call('POST', '/api/v1/auth/api-keys/', { name: 'Key', scopes: [scope] }, somebody.headers)
    return me({ authorization: `Api-Key ${key.json<{ key: string }>().key}` })
  }
  expect([await withScope('hooks:write'), await withScope('projects:write')]).toEqual([[], [here]])
  await callAs('owner', `DELETE ${somebody.url}`)
  expect(await me(somebody.headers)).toEqual([])
})

describe('adding a member', () => {
  test('answers the record and where it is', async () => {
    const somebody = await person({ first_name: 'Ada', last_name: 'Lovelace' })
    const answer = await callAs('admin', 'POST /members/', { email: somebody.email, role: 'developer' })
    expect(answer.statusCode).toBe(201)
    const record = answer.json()
    expect(record).toEqual({
      userId: somebody.id,
      email: somebody.email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      role: 'developer',
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    })
    expect(answer.headers['location']).toBe(`http://127.0.0.1:4000${organizationUrl}/members/${somebody.id}`)
    expect((await callAs('viewer', 'GET /members?limit=1000')).json()).toContainEqual(record)
    const named = await callAs('viewer', `GET ${new URL(String(answer.headers['location'])).pathname}`)
    expect([named.statusCode, named.json()]).toEqual([200, record])
  })

  test('finds the person in any case of the e-mail', async () => {
    const somebody = await person({ email: 'Grace.Hopper@Example.com' })
    const answer = await callAs('admin', 'POST /members', { email: 'gRACE.hopper@example.COM', role: 'viewer' })
    expect(answer.json()).toMatchObject({ userId: somebody.id, email: 'Grace.Hopper@Example.com' })
  })

  test('says the same of an e-mail that nobody has, and of somebody who may not log in', async () => {
    const inactive = await person({ is_active: false })
    const named = await person({ username: 'name@example.com' })
    const bodies = ['nobody@example.com', inactive.email, 'name@example.com']
    expect(named.id).toBeGreaterThan(0)
    for (const email of bodies) {
      const answer = await callAs('owner', 'POST /members', { email, role: 'viewer' })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ validationError: { email: ['Nobody who can log in has this e-mail.'] } })
    }
  })

  test('is refused for somebody who is one already, whatever the role', async () => {
    for (const role of ['viewer', 'admin']) {
      const answer = await callAs('owner', 'POST /members', { email: people.viewer.email, role })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ validationError: { email: ['This person is a member already.'] } })
    }
    expect(await roleOf(people.viewer.id)).toBe('viewer')
  })

  test('twice with the same Idempotency-Key adds one, and answers the same', async () => {
    const body = { email: (await person()).email, role: 'viewer' }
    const key = { 'idempotency-key': 'add' }
    const [one, other] = [
      await callAs('owner', 'POST /members', body, key),
      await callAs('owner', 'POST /members', body, key),
    ]
    expect([one.statusCode, other.statusCode]).toEqual([201, 201])
    expect(other.json()).toEqual(one.json())
    // Without the key it is a second request.
    expect((await callAs('owner', 'POST /members', body)).statusCode).toBe(400)
  })

  test('at the same time as somebody else does makes one member', async () => {
    const body = { email: (await person()).email, role: 'viewer' }
    const answers = await Promise.all([1, 2, 3].map(() => callAs('owner', 'POST /members', body)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([201, 400, 400])
  })

  test.each<[string, object, string]>([
    ['no e-mail', { role: 'viewer' }, 'email'],
    ['no role', { email: 'nobody@example.com' }, 'role'],
    ['an e-mail without a domain', { email: 'nobody', role: 'viewer' }, 'email'],
    ['an e-mail that is a list', { email: ['nobody@example.com'], role: 'viewer' }, 'email'],
    ['an e-mail with NUL', { email: 'no\u0000body@example.com', role: 'viewer' }, 'email'],
    ['an e-mail of 255 characters', { email: `${'e'.repeat(243)}@example.com`, role: 'viewer' }, 'email'],
    ['a role that does not exist', { email: 'nobody@example.com', role: 'Owner' }, 'role'],
    ['a role that is null', { email: 'nobody@example.com', role: null }, 'role'],
    ['a field that nobody knows', { email: 'nobody@example.com', role: 'viewer', user: 1 }, 'user'],
  ])('is refused with %s', async (_, body, field) => {
    const answer = await callAs('owner', 'POST /members', body)
    expect(answer.statusCode).toBe(400)
    const { validationError } = answer.json<{ validationError: object }>()
    expect(Object.keys(validationError)).toEqual([field])
  })
})

describe('changing a member', () => {
  test('sets the role, ignores what is read-only, and counts from the next request on', async () => {
    const somebody = await newMember('viewer')
    const before = (await callAs('owner', 'GET /members?limit=1000'))
      .json<{ userId: number }[]>()
      .find(({ userId }) => userId === somebody.id)
    const rename = { name: 'Renamed' }
    expect((await call('PATCH', organizationUrl, rename, somebody.headers)).statusCode).toBe(403)
    clock.advance(1_000)
    const answer = await callAs('owner', `PATCH ${somebody.url}/`, { ...before, role: 'admin' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...before, role: 'admin', updatedAt: clock.now().toISOString() })
    expect((await call('PATCH', organizationUrl, rename, somebody.headers)).statusCode).toBe(200)
    await callAs('owner', `PATCH ${somebody.url}`, { role: 'developer' })
    expect((await call('PATCH', organizationUrl, rename, somebody.headers)).statusCode).toBe(403)
  })

  test('to what they are already changes nothing, nor when it was changed', async () => {
    const before = (await callAs('owner', 'GET /members')).json<{ userId: number }[]>()
    clock.advance(1_000)
    for (const body of [{}, { role: 'viewer' }]) {
      const answer = await callAs('admin', `PATCH ${memberUrl(people.viewer.id)}`, body)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(before.find(({ userId }) => userId === people.viewer.id))
    }
  })

  test.each<[string, object, string]>([
    ['a role that does not exist', { role: 'king' }, 'role'],
    ['a role that is a number', { role: 1 }, 'role'],
    ['a field that nobody knows', { role: 'viewer', active: true }, 'active'],
  ])('is refused with %s', async (_, body, field) => {
    const answer = await callAs('owner', `PATCH ${memberUrl(people.viewer.id)}`, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<{ validationError: object }>().validationError)).toEqual([field])
  })
})

describe('owners', () => {
  test.each<[Caller, string, number]>([
    ['admin', 'owner', 403],
    ['admin', 'admin', 201],
    ['owner', 'owner', 201],
    ['superuser', 'owner', 201],
  ])('%s adds somebody as %s: %i', async (caller, role, status) => {
    const answer = await callAs(caller, 'POST /members', { email: (await person()).email, role })
    expect(answer.statusCode).toBe(status)
  })

  test('an admin learns of no e-mail by naming an owner', async () => {
    const [known, unknown] = [people.outsider.email, 'nobody@example.com']
    const answers = [known, unknown].map((email) => callAs('admin', 'POST /members', { email, role: 'owner' }))
    const [one, other] = await Promise.all(answers)
    expect([one?.statusCode, one?.body]).toEqual([403, other?.body])
  })

  test('are made, changed and removed by owners alone', async () => {
    const [owner, member] = [await newMember('owner'), await newMember('developer')]
    for (const [request, body] of [
      [`PATCH ${owner.url}`, { role: 'viewer' }],
      [`PATCH ${owner.url}`, { role: 'admin' }],
      [`PATCH ${member.url}`, { role: 'owner' }],
      [`PATCH ${memberUrl(people.admin.id)}`, { role: 'owner' }],
      [`DELETE ${owner.url}`, undefined],
    ] as const) {
      const answer = await callAs('admin', request, body)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toEqual({ apiError: ['Only an owner adds, changes or removes owners.'] })
    }
    expect((await callAs('owner', `PATCH ${member.url}`, { role: 'owner' })).statusCode).toBe(200)
    expect((await callAs('owner', `PATCH ${owner.url}`, { role: 'viewer' })).statusCode).toBe(200)
    expect((await callAs('owner', `DELETE ${member.url}`)).statusCode).toBe(204)
    expect([await roleOf(owner.id), await roleOf(member.id)]).toEqual(['viewer', undefined])
  })

  test('never run out: the last one is neither demoted nor removed, nor leaves', async () => {
    const owner = await person()
    const who = await authorization(owner)
    const url = '/api/v1/organizations'
    const { _id: id } = (await call('POST', url, { name: 'Of one owner' }, who)).json<{ _id: string }>()
    const self = `${url}/${id}/members/${owner.id}`
    const as = { owner: who, superuser: { authorization: testApp.superuser.authorization } }
    const broken = {
      validationError: {
        non_field_errors: [
          'An organization keeps at least one owner who can log in: make somebody else an owner first.',
        ],
      },
    }
    for (const caller of [as.owner, as.superuser]) {
      for (const answer of [
        await call('PATCH', self, { role: 'admin' }, caller),
        await call('DELETE', self, undefined, caller),
      ]) {
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toEqual(broken)
      }
    }
    expect((await call('PATCH', self, { role: 'owner' }, who)).statusCode).toBe(200)
    await call('POST', `${url}/${id}/members`, { email: people.outsider.email, role: 'owner' }, who)
    expect((await call('DELETE', self, undefined, who)).statusCode).toBe(204)
    expect((await call('GET', `${url}/${id}`, undefined, who)).statusCode).toBe(403)
  })
})

test('an owner who cannot log in does not keep the last one who can from being needed', async () => {
  const [active, inactive] = [await person(), await person()]
  const who = await authorization(active)
  const url = '/api/v1/organizations'
  const { _id: id } = (await call('POST', url, { name: 'Of two owners' }, who)).json<{ _id: string }>()
  await call('POST', `${url}/${id}/members`, { email: inactive.email, role: 'owner' }, who)
  await call('PATCH', `/api/v1/users/${inactive.id}/`, { is_active: false })
  expect((await call('DELETE', `${url}/${id}/members/${active.id}`, undefined, who)).statusCode).toBe(400)
  expect((await call('DELETE', `${url}/${id}/members/${inactive.id}`, undefined, who)).statusCode).toBe(204)
})

describe('removing a member', () => {
  test.each(['owner', 'admin', 'developer', 'viewer'])('anybody may leave: %s', async (role) => {
    const somebody = await newMember(role)
    const url = `${organizationUrl}${somebody.url}`
    const answer = await call('DELETE', url, undefined, somebody.headers)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await call('DELETE', url, undefined, somebody.headers)).statusCode).toBe(403)
    expect(await roleOf(somebody.id)).toBeUndefined()
  })

  test('takes an admin when it is somebody else, who is out at the next request', async () => {
    const somebody = await newMember('viewer')
    expect((await call('GET', organizationUrl, undefined, somebody.headers)).statusCode).toBe(200)
    for (const caller of ['viewer', 'developer'] as const) {
      expect((await callAs(caller, `DELETE ${somebody.url}`)).statusCode).toBe(403)
    }
    expect((await callAs('admin', `DELETE ${somebody.url}`)).statusCode).toBe(204)
    expect((await call('GET', organizationUrl, undefined, somebody.headers)).statusCode).toBe(403)
    expect((await callAs('admin', `DELETE ${somebody.url}`)).statusCode).toBe(404)
  })

  test('who comes back is new', async () => {
    const somebody = await newMember('admin')
    await callAs('owner', `DELETE ${somebody.url}`)
    clock.advance(1_000)
    const answer = await callAs('owner', 'POST /members', { email: somebody.email, role: 'viewer' })
    expect(answer.json()).toMatchObject({ role: 'viewer', createdAt: clock.now().toISOString() })
  })
})

describe('a path', () => {
  test.each(['0', '-1', '01', '1.0', '1e1', '0x1', 'abc', '%20', '+1', '9007199254740992', '9'.repeat(60)])(
    'with %s for a user is 400',
    async (id) => {
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await callAs('admin', `${method} /members/${id}`, method === 'PATCH' ? {} : undefined)
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toEqual({ validationError: { userId: ['Expected a positive integer.'] } })
      }
    },
  )

  test('to somebody who is no member is 404, whether they exist or not', async () => {
    for (const id of [people.outsider.id, Number.MAX_SAFE_INTEGER]) {
      for (const [method, body] of [
        ['PATCH', { role: 'viewer' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await callAs('admin', `${method} /members/${id}`, body)
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toEqual({ apiError: ['Not found.'] })
      }
    }
    expect((await callAs('superuser', `DELETE ${memberUrl(1)}`)).statusCode).toBe(404)
  })

  test('that has no such method is 405', async () => {
    const answer = await callAs('owner', `PUT ${memberUrl(people.viewer.id)}`, {})
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, PATCH')
    expect(answer.json()).toEqual({ apiError: [expect.any(String)] })
  })
})

describe('the list of members', () => {
  test('comes in pages, and shows those who may not log in any more', async () => {
    const owner = await person()
    const who = await authorization(owner)
    const { _id: id } = (await call('POST', '/api/v1/organizations', { name: 'Many' }, who)).json<{ _id: string }>()
    const url = `/api/v1/organizations/${id}/members`
    const ids = [owner.id]
    const joined: number[] = []
    for (let count = 0; count < 4; count++) joined.push((await person()).id)
    // Joined in another order than they were made in.
    for (const userId of joined.toReversed()) {
      clock.advance(1_000)
      const { email } = (await call('GET', `/api/v1/users/${userId}`)).json<{ email: string }>()
      await call('POST', url, { email, role: 'viewer' }, who)
      ids.push(userId)
    }
    await call('PATCH', `/api/v1/users/${joined[0]}`, { is_active: false })
    const listed = async (query: string): Promise<number[]> =>
      (await call('GET', `${url}${query}`, undefined, who)).json().map((one: { userId: number }) => one.userId)
    expect(await listed('')).toEqual(ids)
    expect(await listed('?ordering=-createdAt')).toEqual(ids.toReversed())
    expect(await listed('?ordering=userId')).toEqual([owner.id, ...joined])
    expect(await listed('?ordering=-userId')).toEqual([owner.id, ...joined].toReversed())
    expect([
      ...(await listed('?limit=2')),
      ...(await listed('?limit=2&page=2')),
      ...(await listed('?limit=2&page=3')),
    ]).toEqual(ids)
    const answer = await call('GET', `${url}?limit=2&page=4`, undefined, who)
    expect([answer.json(), answer.headers['x-total-count']]).toEqual([[], '5'])
    expect(answer.headers['link']).toContain(`/api/v1/organizations/${id}/members?limit=2&page=3>; rel="prev"`)
  })

  test('leaves nobody out where all joined at the same moment', async () => {
    const headers = { authorization: testApp.superuser.authorization }
    const made = await call('POST', '/api/v1/organizations', { name: 'At once' }, headers)
    const url = `/api/v1/organizations/${made.json<{ _id: string }>()._id}/members`
    for (const { email } of Object.values(people)) await call('POST', url, { email, role: 'viewer' })
    const ids: number[] = []
    for (const page of [1, 2, 3]) {
      const answer = await call('GET', `${url}?ordering=-createdAt&limit=2&page=${page}`)
      ids.push(...answer.json<{ userId: number }[]>().map(({ userId }) => userId))
    }
    expect(ids).toEqual([...ids].toSorted((one, other) => other - one))
    expect(new Set(ids).size).toBe(6)
  })

  test.each(['ordering=email', 'limit=0', 'page=-1'])('refuses %s', async (query) => {
    const answer = await callAs('viewer', `GET /members?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ validationError: { [query.split('=')[0] ?? '']: [expect.any(String)] } })
  })

  test('belongs to the organization of the path alone', async () => {
    expect(await roleOf(people.outsider.id)).toBeUndefined()
    expect(organizationUrl).toContain(organizationId)
  })
})
