import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const { call, database } = await makeTestApp({ clock })
const path = '/api/v1/stock_locations/'

const eventsOf = async (id: number) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'sequence', 'body', 'scope'])
    .where('objectType', '=', 'stocklocation')
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map(({ body, ...row }) => ({ ...row, data: (JSON.parse(body) as { data: unknown }).data }))
}
let made = 0
const make = async (fields: object = {}) => {
  made += 1
  return (await call('POST', path, { code: `L-${made}`, name: 'Place', ...fields })).json()
}

describe('creating a location', () => {
  test('fills in what was not said, and raises its event', async () => {
    const answer = await call('POST', path, { code: 'IST-1', name: 'Main warehouse' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      code: 'IST-1',
      name: 'Main warehouse',
      kind: 'warehouse',
      address: '',
      is_active: true,
      allow_backorder: false,
      created_date: clock.now().toISOString(),
      modified_date: clock.now().toISOString(),
    })
    expect(await eventsOf(answer.json().id)).toEqual([
      { type: 'stock_location.created', sequence: 1, scope: 'back-office', data: answer.json() },
    ])
  })

  test('refuses a code that is taken, also by the one of two that comes second', async () => {
    const answers = await Promise.all([1, 2].map(() => call('POST', path, { code: 'TWICE', name: 'x' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400])
    const refused = answers.find(({ statusCode }) => statusCode === 400)
    expect(refused?.json()).toEqual({ code: ['Another stock location has this code.'] })
  })

  test.each([
    [{ code: '' }, 'code'],
    [{ code: ' ' }, 'code'],
    [{ code: 'x'.repeat(65) }, 'code'],
    [{ name: 7 }, 'name'],
    [{ kind: 'cave' }, 'kind'],
    [{ is_active: 'true' }, 'is_active'],
    [{ address: 'x\u0000' }, 'address'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (fields, field) => {
    const answer = await call('POST', path, { code: 'OK', name: 'x', ...fields })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([field])
  })
})

describe('changing a location', () => {
  test('raises an event with the location after the change', async () => {
    const { id } = await make()
    clock.advance(1000)
    const answer = await call('PATCH', `${path}${id}/`, { is_active: false, kind: 'store' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ is_active: false, kind: 'store', modified_date: clock.now().toISOString() })
    expect((await eventsOf(id))[1]).toMatchObject({ type: 'stock_location.updated', sequence: 2, data: answer.json() })
  })

  test('that changes nothing writes nothing and raises nothing', async () => {
    const location = await make({ address: 'Dock 4' })
    clock.advance(1000)
    for (const body of [{}, { name: 'Place' }, location]) {
      const answer = await call('PATCH', `${path}${location.id}/`, body)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(location)
    }
    expect(await eventsOf(location.id)).toHaveLength(1)
  })

  test('refuses the code of another, and may keep its own', async () => {
    const [one, two] = [await make(), await make()]
    const refused = await call('PATCH', `${path}${two.id}/`, { code: one.code, name: 'New' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({ code: ['Another stock location has this code.'] })
    expect(await eventsOf(two.id)).toHaveLength(1)
    expect((await call('PATCH', `${path}${two.id}/`, { code: two.code, name: 'New' })).json().name).toBe('New')
  })

  test('two at once both count, and are numbered', async () => {
    const { id } = await make()
    await Promise.all([call('PATCH', `${path}${id}/`, { name: 'A' }), call('PATCH', `${path}${id}/`, { address: 'B' })])
    expect((await call('GET', `${path}${id}/`)).json()).toMatchObject({ name: 'A', address: 'B' })
    expect((await eventsOf(id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })
})

test('the list finds by every filter and orders by a field', async () => {
  await make({ code: 'Z-SHOP', name: 'Z shop', kind: 'virtual', is_active: false })
  await make({ code: 'A-SHOP', name: 'A shop', kind: 'virtual' })
  const codes = async (query: string) =>
    (await call('GET', `${path}?limit=1000&${query}`)).json().map(({ code }: { code: string }) => code)
  expect(await codes('code=A-SHOP')).toEqual(['A-SHOP'])
  expect(await codes('kind=virtual&is_active=false')).toEqual(['Z-SHOP'])
  expect((await codes('kind=virtual&ordering=name'))[0]).toBe('A-SHOP')
  expect((await codes('kind=virtual&ordering=-name'))[0]).toBe('Z-SHOP')
  expect(await codes('created_date__lt=2000-01-01T00:00:00Z')).toEqual([])
  const page = await call('GET', `${path}?limit=1`)
  expect(page.json()).toHaveLength(1)
  expect(Number(page.headers['x-total-count'])).toBeGreaterThan(1)
})

test('locations cannot be deleted', async () => {
  const { id } = await make()
  const answer = await call('DELETE', `${path}${id}/`)
  expect(answer.statusCode).toBe(405)
  expect(answer.headers['allow']).toContain('PATCH')
})

test('only staff get in, before anything else is looked at', async () => {
  const nobody = await call('POST', path, { nonsense: true }, { authorization: '' })
  expect(nobody.statusCode).toBe(401)
  const user = {
    email: 'buyer@waybill.test',
    password: 'a long enough password',
    first_name: 'B',
    last_name: 'B',
    is_staff: false,
    is_superuser: false,
    division: null,
  }
  expect((await call('POST', '/api/v1/users/', user)).statusCode).toBe(201)
  const login = await call('POST', '/api/v1/auth/login/', { username: user.email, password: user.password })
  const authorization = `Token ${login.json<{ key: string }>().key}`
  for (const url of [path, '/api/v1/packages/', '/api/v1/shipments/', `${path}1/stock/`]) {
    expect((await call('GET', url, undefined, { authorization })).statusCode).toBe(403)
    expect((await call('POST', url, { nonsense: true }, { authorization })).statusCode).toBe(403)
  }
})
