import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call, database } = testApp
const { person, authorization } = makePeople(testApp)
const world = await makeProjects(testApp)
const { callAs, headers, organizationId } = world

const url = '/api/v1/organizations'
const newcomer = async (fields: object = {}) => authorization(await person({ ...fields }))
const make = async (who: Record<string, string>, body: object = { name: 'Another one' }): Promise<string> =>
  (await call('POST', url, body, who)).json<{ _id: string }>()._id

describe('making an organization', () => {
  test('makes the caller its owner, and answers the record and where it is', async () => {
    const who = await newcomer()
    const answer = await call('POST', `${url}/`, { name: 'Mobile', description: 'Our apps' }, who)
    expect(answer.statusCode).toBe(201)
    const record = answer.json<{ _id: string; createdAt: string }>()
    expect(record).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Mobile',
      description: 'Our apps',
      role: 'owner',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: record.createdAt,
    })
    expect(answer.headers['location']).toBe(`http://127.0.0.1:4000${url}/${record._id}`)
    expect((await call('GET', `${url}/${record._id}`, undefined, who)).json()).toEqual(record)
    expect((await call('GET', `${url}/${record._id.toUpperCase()}/`, undefined, who)).json()).toEqual(record)
    const members = await call('GET', `${url}/${record._id}/members`, undefined, who)
    expect(members.json()).toMatchObject([{ role: 'owner' }])
  })

  test('needs no description', async () => {
    expect((await callAs('outsider', `POST ${url}`, { name: 'Bare' })).json()).toMatchObject({ description: '' })
  })

  test('is not for buyers, whatever they send', async () => {
    const [buyer, staffBuyer] = [await person(), await person({ is_staff: true })]
    const ids = [buyer.id, staffBuyer.id]
    const division = (await call('POST', '/api/v1/divisions/', { name: 'Branch' })).json<{ id: number }>()
    await sql`update users set division = ${division.id} where id = any(${ids})`.execute(database.db)
    const who = await authorization(buyer)
    for (const body of [{ name: 'Buyers' }, {}, undefined]) {
      const answer = await call('POST', url, body, who)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toEqual({ apiError: [expect.any(String)] })
    }
    expect((await call('GET', url, undefined, who)).json()).toEqual([])
    const staff = await authorization(staffBuyer)
    expect((await call('POST', url, { name: 'Staff' }, staff)).statusCode).toBe(201)
  })

  test('twice with the same Idempotency-Key makes one', async () => {
    const who = await newcomer()
    const again = { ...who, 'idempotency-key': 'the-same' }
    const answers = [await call('POST', url, { name: 'Once' }, again), await call('POST', url, { name: 'Once' }, again)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(answers[1]?.json()).toEqual(answers[0]?.json())
    expect((await call('GET', url, undefined, who)).json()).toHaveLength(1)
    const other = await call('POST', url, { name: 'Other' }, again)
    expect(other.statusCode).toBe(409)
    expect(other.json()).toEqual({ apiError: [expect.any(String)] })
  })
})

describe('the fields of an organization', () => {
  const fish = '🐟'
  test.each([
    ['2 characters', { name: 'ab' }],
    ['100 characters', { name: 'a'.repeat(100) }],
    [
      'characters beyond the basic plane, counted as one each',
      { name: fish.repeat(100), description: fish.repeat(255) },
    ],
    ['a description of 255 characters', { name: 'Name', description: 'd'.repeat(255) }],
    ['an empty description', { name: 'Name', description: '' }],
    ['blanks around the name, which stay', { name: ' Name ' }],
  ])('can be %s', async (_, body) => {
    const made = await callAs('outsider', `POST ${url}`, body)
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject(body)
    expect((await callAs('owner', 'PATCH ', body)).json()).toMatchObject(body)
  })

  test.each<[string, unknown, string]>([
    ['a name of 1 character', { name: 'a' }, 'name'],
    ['a name of 1 character beyond the basic plane', { name: fish }, 'name'],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, 'name'],
    ['a name of blanks', { name: ' \t\u00a0 ' }, 'name'],
    ['a name that is a number', { name: 12 }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a name with NUL', { name: 'a\u0000b' }, 'name'],
    ['a name with half a character', { name: 'ab\ud83d' }, 'name'],
    ['a description of 256 characters', { name: 'Name', description: 'd'.repeat(256) }, 'description'],
    ['a description that is null', { name: 'Name', description: null }, 'description'],
    ['a field that nobody knows', { name: 'Name', owner: 1 }, 'owner'],
    ['a field of the prototype', '{"name": "Name", "__proto__": {}}', 'non_field_errors'],
    ['a list', [], 'non_field_errors'],
    ['a text', '"Name"', 'non_field_errors'],
  ])('cannot be %s', async (_, body, field) => {
    const type = { 'content-type': 'application/json' }
    for (const target of [`POST ${url}`, `PATCH ${url}/${organizationId}`]) {
      const answer = await callAs('owner', target, body, type)
      expect(answer.statusCode).toBe(400)
      const wrong = answer.json<{ validationError: object }>()
      expect(wrong).toEqual({ validationError: { [field]: [expect.any(String)] } })
    }
  })

  test('are the name at least', async () => {
    for (const body of [{}, { description: 'No name' }]) {
      const answer = await callAs('outsider', `POST ${url}`, body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ validationError: { name: ['This field is required.'] } })
    }
  })

  test.each([
    ['broken JSON', '{', 'application/json', 400],
    ['no JSON', 'name=Name', 'application/x-www-form-urlencoded', 415],
    ['nothing', '', 'application/json', 400],
    ['more than 1 MiB', `"${'a'.repeat(1_048_576)}"`, 'application/json', 413],
  ])('are refused as %s in the words of this surface', async (_, body, type, status) => {
    const answer = await callAs('outsider', `POST ${url}`, body, { 'content-type': type })
    expect(answer.statusCode).toBe(status)
    expect(Object.keys(answer.json())).toEqual([status === 400 ? 'validationError' : 'apiError'])
  })
})

describe('changing an organization', () => {
  test('sets what is sent, and ignores what is read-only', async () => {
    const id = await make(headers.outsider, { name: 'Before', description: 'Stays' })
    const before = (await callAs('outsider', `GET ${url}/${id}`)).json()
    clock.advance(1_000)
    const sent = { ...before, name: 'After', role: 'viewer', createdAt: 'never', _id: organizationId }
    const answer = await callAs('outsider', `PATCH ${url}/${id}`, sent)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...before, name: 'After', updatedAt: expect.any(String) })
    expect(answer.json<{ updatedAt: string }>().updatedAt > before.updatedAt).toBe(true)
    expect((await callAs('outsider', `GET ${url}/${id}`)).json()).toEqual(answer.json())
  })

  test('to what it is already changes nothing, nor when it was changed', async () => {
    const id = await make(headers.outsider)
    const before = (await callAs('outsider', `GET ${url}/${id}`)).json()
    clock.advance(1_000)
    for (const body of [{}, { name: before.name }]) {
      expect((await callAs('outsider', `PATCH ${url}/${id}`, body)).json()).toEqual(before)
    }
  })
})

describe('the list of organizations', () => {
  test('has those of the caller, each with the role there', async () => {
    const ids = async (who: Record<string, string>) =>
      (await call('GET', `${url}?limit=1000`, undefined, who)).json().map((one: { _id: string }) => one._id)
    expect(await ids(headers.viewer)).toEqual([organizationId])
    expect((await callAs('viewer', `GET ${url}`)).json()).toMatchObject([{ _id: organizationId, role: 'viewer' }])
    expect(await ids(headers.outsider)).not.toContain(organizationId)
    expect(await ids(await newcomer())).toEqual([])
    expect(await ids(await newcomer({ is_staff: true }))).toEqual([])
  })

  test('has all of them for a superuser, who is an owner where nothing else was said', async () => {
    const admin = await person({ is_superuser: true })
    await callAs('owner', 'POST /members', { email: admin.email, role: 'viewer' })
    const who = await authorization(admin)
    const list = (await call('GET', `${url}?limit=1000`, undefined, who)).json<{ _id: string; role: string }[]>()
    const { rows } = await sql`select id from organizations`.execute(database.db)
    expect(list).toHaveLength(rows.length)
    expect(list.filter(({ role }) => role === 'viewer').map(({ _id }) => _id)).toEqual([organizationId])
    expect(list.filter(({ role }) => role === 'owner')).toHaveLength(rows.length - 1)
    expect((await call('GET', `${url}/${organizationId}`, undefined, who)).json()).toMatchObject({ role: 'viewer' })
    // What they were told they are takes nothing from what they may do.
    expect((await call('PATCH', `${url}/${organizationId}`, {}, who)).json()).toMatchObject({ role: 'viewer' })
  })

  test('comes in pages and orders that leave nothing out', async () => {
    const who = await newcomer()
    const made: string[] = []
    for (const name of ['Bravo', 'Alpha', 'Alpha', 'Charlie', 'Delta']) {
      clock.advance(1_000)
      made.push(await make(who, { name }))
    }
    const seen: string[] = []
    for (const page of [1, 2, 3]) {
      const answer = await call('GET', `${url}?page=${page}&limit=2&ordering=-name`, undefined, who)
      expect(answer.headers['x-total-count']).toBe('5')
      seen.push(...answer.json<{ name: string }[]>().map(({ name }) => name))
    }
    expect(seen).toEqual(['Delta', 'Charlie', 'Bravo', 'Alpha', 'Alpha'])
    const second = await call('GET', `${url}/?page=2&limit=2`, undefined, who)
    const rels = String(second.headers['link']).matchAll(/page=(\d+)&limit=2>; rel="(\w+)"/g)
    expect([...rels].map(([, page, rel]) => [rel, page])).toEqual([
      ['first', '1'],
      ['prev', '1'],
      ['next', '3'],
      ['last', '3'],
    ])
    const ordered = async (ordering: string): Promise<string[]> =>
      (await call('GET', `${url}?ordering=${ordering}`, undefined, who)).json().map(({ _id }: { _id: string }) => _id)
    expect((await call('GET', url, undefined, who)).json().map(({ _id }: { _id: string }) => _id)).toEqual(made)
    for (const ordering of ['_id', 'createdAt']) expect(await ordered(ordering)).toEqual(made)
    expect(await ordered('-_id')).toEqual(made.toReversed())
    expect(await ordered('-updatedAt')).toEqual(made.toReversed())
  })

  test.each(['page=0', 'page=x', 'limit=0', 'limit=1001', 'ordering=role', 'page=1&page=2'])(
    'refuses %s',
    async (query) => {
      const answer = await callAs('viewer', `GET ${url}?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ validationError: { [query.split('=')[0] ?? '']: [expect.any(String)] } })
    },
  )
})

describe('deleting an organization', () => {
  test('takes its members and projects along, and nothing of others', async () => {
    const id = await make(headers.outsider)
    const projectId = await world.makeProject(id)
    const answer = await callAs('outsider', `DELETE ${url}/${id}/`)
    expect(answer.statusCode).toBe(204)
    expect(answer.body).toBe('')
    expect((await callAs('outsider', `GET ${url}/${id}`)).statusCode).toBe(403)
    expect((await callAs('outsider', `DELETE ${url}/${id}`)).statusCode).toBe(403)
    expect((await callAs('superuser', `DELETE ${url}/${id}`)).statusCode).toBe(404)
    const { rows } = await sql`
      select id from organizations where id = ${id}
      union all select id from projects where id = ${projectId}
      union all select organization_id from organization_members where organization_id = ${id}`.execute(database.db)
    expect(rows).toEqual([])
    expect((await callAs('viewer', 'GET /members')).json()).not.toEqual([])
  })

  test('ends its webhooks: what was due to them is cancelled, and what others have stays', async () => {
    const id = await make(headers.outsider)
    const hook = { name: 'Hook', url: 'https://example.com/hook', events: ['distribution.created'] }
    const states: { active: boolean; status: string }[] = []
    const stateOf = async (projectUrl: string): Promise<() => Promise<void>> => {
      const made = await call('POST', `${projectUrl}/settings/webhooks`, hook)
      const ping = await call('POST', `${String(made.headers['location'])}/ping`)
      const delivery = Number.parseInt(ping.json<{ delivery: string }>().delivery, 16)
      return async () => {
        const { rows } = await sql<{ active: boolean; status: string }>`
          select subscription.deleted_at is null as active, delivery.status from deliveries delivery
          join subscriptions subscription on subscription.id = delivery.subscription_id
          where delivery.id = ${delivery}`.execute(database.db)
        states.push(...rows)
      }
    }
    const looks = [
      await stateOf(`${url}/${id}/projects/${await world.makeProject(id)}`),
      await stateOf(`${url}/${id}/projects/${await world.makeProject(id)}`),
      await stateOf(world.projectUrl),
    ]
    expect((await callAs('outsider', `DELETE ${url}/${id}`)).statusCode).toBe(204)
    for (const look of looks) await look()
    expect(states).toEqual([
      { active: false, status: 'cancelled' },
      { active: false, status: 'cancelled' },
      { active: true, status: 'pending' },
    ])
  })
})
