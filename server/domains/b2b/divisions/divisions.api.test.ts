import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

interface Record {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly root: number
  readonly is_active: boolean
}

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { call } = app
const { person, authorization } = makePeople(app)
const path = '/api/v1/divisions/'
const unset = {
  address: '',
  fax_number: '',
  country_id: null,
  city_id: null,
  township_id: null,
  district_id: null,
  latitude: null,
  longitude: null,
  extra_data: {},
  current_balance: '0.00',
  current_balance_last_update: null,
}
const make = async (fields: object = {}): Promise<Record> => {
  const answer = await call('POST', path, { name: 'Division', ...fields })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json()
}
const read = async (id: number): Promise<Record> => (await call('GET', `${path}${id}/`)).json()
const patch = (id: number, body: object) => call('PATCH', `${path}${id}/`, body)

describe('making a division', () => {
  test('fills in what was not said: a main division', async () => {
    const answer = await call('POST', path, { name: 'Head office' })
    const division = answer.json<Record>()
    expect(division).toEqual({
      id: expect.any(Number),
      name: 'Head office',
      phone_number: '',
      erp_code: '',
      parent: null,
      root: division.id,
      is_active: true,
      division_type: 'main',
      monthly_order_limit: '0.00',
      remaining: null,
      ...unset,
      created_date: clock.now().toISOString(),
      modified_date: clock.now().toISOString(),
    })
    expect(new URL(answer.headers['location'] ?? '').pathname).toBe(`${path}${division.id}/`)
    expect(await read(division.id)).toEqual(division)
  })

  test('below another one is a branch of its tree', async () => {
    const main = await make()
    const branch = await make({
      parent: main.id,
      erp_code: 'BR-1',
      phone_number: '+49 30',
      monthly_order_limit: '5000',
    })
    const leaf = await make({ parent: branch.id })
    expect(branch).toMatchObject({ parent: main.id, root: main.id, erp_code: 'BR-1', monthly_order_limit: '5000.00' })
    expect(leaf).toMatchObject({ parent: branch.id, root: main.id })
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: undefined }, 'name'],
    [{ parent: 999_999 }, 'parent'],
    [{ parent: '1' }, 'parent'],
    [{ parent: 0 }, 'parent'],
    [{ monthly_order_limit: '1.234' }, 'monthly_order_limit'],
    [{ monthly_order_limit: '-1' }, 'monthly_order_limit'],
    [{ monthly_order_limit: 5000 }, 'monthly_order_limit'],
    [{ monthly_order_limit: '99999999999999999' }, 'monthly_order_limit'],
    [{ current_balance: '1,5' }, 'current_balance'],
    [{ latitude: 91 }, 'latitude'],
    [{ extra_data: [] }, 'extra_data'],
    [{ city_id: '34' }, 'city_id'],
    [{ erp_code: 'x'.repeat(101) }, 'erp_code'],
    [{ erp_code: 7 }, 'erp_code'],
    [{ is_active: 'true' }, 'is_active'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (fields, field) => {
    const answer = await call('POST', path, { name: 'x', ...fields })
    expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, [field]])
  })

  test('of several at once with one ERP code one is made; without one all are', async () => {
    const codes = async (erpCode: string) =>
      (await Promise.all([1, 2, 3].map(() => call('POST', path, { name: 'x', erp_code: erpCode }))))
        .map((answer) => `${answer.statusCode} ${Object.keys(answer.json<object>())[0] ?? ''}`)
        .toSorted()
    expect(await codes('TWICE')).toEqual(['201 id', '400 erp_code', '400 erp_code'])
    expect(await codes('Twice')).toEqual(['400 erp_code', '400 erp_code', '400 erp_code'])
    expect(await codes('')).toEqual(['201 id', '201 id', '201 id'])
  })
})

describe('changing a division', () => {
  test('sets what was sent, and takes back what was read', async () => {
    const division = await make({ monthly_order_limit: '10.00' })
    clock.advance(1000)
    const changes = { name: 'New', monthly_order_limit: '0.00', remaining: null, erp_code: 'NEW', is_active: false }
    const answer = await patch(division.id, changes)
    const expected = { ...division, ...changes, modified_date: clock.now().toISOString() }
    expect([answer.statusCode, answer.json()]).toEqual([200, expected])
    clock.advance(1000)
    expect((await patch(division.id, expected)).json()).toEqual(expected)
    expect((await patch(division.id, { erp_code: null })).json()).toMatchObject({ erp_code: '' })
  })

  test('keeps what others read of it, and says when its balance moved', async () => {
    const kept = { address: 'Main Street 1', country_id: 1, city_id: 34, latitude: 41.01, extra_data: { vip: [true] } }
    const division = await make({ ...kept, current_balance: '-12.5' })
    const at = clock.now().toISOString()
    const shown = { ...unset, ...kept, current_balance: '-12.50', current_balance_last_update: at }
    expect(division).toMatchObject(shown)
    clock.advance(1000)
    const moved = { fax_number: '+49 30 1', current_balance: '-12.50' }
    expect((await patch(division.id, { ...division, ...moved })).json()).toMatchObject({ ...shown, ...moved })
    const paid = (await patch(division.id, { current_balance: '0', latitude: null })).json()
    expect(paid).toMatchObject({ current_balance: '0.00', current_balance_last_update: clock.now().toISOString() })
    expect(await read(division.id)).toEqual(paid)
  })

  test('refuses the ERP code of another one, whatever its case', async () => {
    const [one, other] = [await make({ erp_code: 'ONE' }), await make({ erp_code: 'OTHER' })]
    for (const taken of ['ONE', 'one']) {
      const answer = await patch(other.id, { erp_code: taken })
      expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['erp_code']])
    }
    expect((await patch(one.id, { erp_code: 'ONE' })).statusCode).toBe(200)
    expect((await patch(one.id, { erp_code: 'One' })).json()).toMatchObject({ erp_code: 'One' })
  })

  test('of one that does not exist is 404, and none can be deleted', async () => {
    expect((await patch(999_999, { name: 'x' })).statusCode).toBe(404)
    expect((await call('GET', `${path}x/`)).statusCode).toBe(404)
    const { id } = await make()
    const answer = await call('DELETE', `${path}${id}/`)
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH'])
  })
})

describe('moving a division', () => {
  test('takes along what hangs from it, and it cannot come below itself', async () => {
    const [one, other] = [await make(), await make()]
    const branch = await make({ parent: one.id })
    const leaf = await make({ parent: branch.id })
    for (const parent of [branch.id, leaf.id]) {
      const answer = await patch(branch.id, { parent })
      expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['parent']])
    }
    expect((await patch(one.id, { parent: leaf.id })).statusCode).toBe(400)
    expect((await patch(branch.id, { parent: other.id })).json()).toMatchObject({ root: other.id })
    expect(await read(leaf.id)).toMatchObject({ parent: branch.id, root: other.id })
    expect((await patch(branch.id, { parent: null })).json()).toMatchObject({ parent: null, root: branch.id })
    expect(await read(leaf.id)).toMatchObject({ root: branch.id })
    // Now below what was below it before.
    expect((await patch(leaf.id, { parent: one.id })).json()).toMatchObject({ root: one.id })
    expect((await patch(branch.id, { parent: leaf.id })).json()).toMatchObject({ root: one.id })
  })

  test('of two moves at once that would make a circle one is refused', async () => {
    const pairs = await Promise.all(Array.from({ length: 8 }, async () => [await make(), await make()] as const))
    const answers = await Promise.all(
      pairs.map(([one, other]) =>
        Promise.all([patch(one.id, { parent: other.id }), patch(other.id, { parent: one.id })]),
      ),
    )
    for (const both of answers)
      expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
    for (const [one, other] of pairs) {
      const [first, second] = [await read(one.id), await read(other.id)]
      expect([first.parent, second.parent].filter((parent) => parent === null)).toHaveLength(1)
      expect(first.root).toBe(second.root)
    }
  })

  test('branches that are made while their parent moves go with it', async () => {
    const trees = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const [one, other] = [await make(), await make()]
        return { other, branch: await make({ parent: one.id }) }
      }),
    )
    const made = trees.flatMap(({ branch, other }) => [
      make({ parent: branch.id }).then(({ id }) => [id, other.id] as const),
      patch(branch.id, { parent: other.id }).then(() => [branch.id, other.id] as const),
      make({ parent: branch.id }).then(({ id }) => [id, other.id] as const),
    ])
    for (const [id, root] of await Promise.all(made)) expect((await read(id)).root).toBe(root)
  })

  test('any moves leave the trees of a simple model', async () => {
    const moves = fc.array(fc.tuple(fc.nat(5), fc.option(fc.nat(5))), { minLength: 4, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(moves, async (wanted) => {
        const nodes: Record[] = []
        for (let n = 0; n < 6; n += 1) nodes.push(await make())
        const idOf = (node: number | null) => (node === null ? null : (nodes[node]?.id ?? null))
        const parents: (number | null)[] = nodes.map(() => null)
        const above = (node: number): number[] => {
          const parent = parents[node] ?? null
          return parent === null ? [node] : [node, ...above(parent)]
        }
        for (const [node, parent] of wanted) {
          const isFine = parent === null || !above(parent).includes(node)
          const answer = await patch(idOf(node) ?? 0, { parent: idOf(parent) })
          expect(answer.statusCode).toBe(isFine ? 200 : 400)
          if (isFine) parents[node] = parent
        }
        for (const [node, { id }] of nodes.entries()) {
          const root = idOf(above(node).at(-1) ?? null)
          expect(await read(id)).toMatchObject({ parent: idOf(parents[node] ?? null), root })
        }
      }),
      { numRuns: 6 },
    )
  })
})

describe('my divisions', () => {
  const mine = async (division: number | null) => {
    const headers = await authorization(await person({ division }))
    return call('GET', '/api/v1/my-divisions/?limit=100', undefined, headers)
  }
  const namesOf = async (division: number | null) =>
    (await mine(division)).json<{ results: Record[] }>().results.map(({ name }) => name)

  test('are the active ones of the whole tree for a main division, and itself for a branch', async () => {
    const main = await make({ name: 'Main', monthly_order_limit: '100.00' })
    const north = await make({ name: 'North', parent: main.id, erp_code: 'N', phone_number: '1' })
    await make({ name: 'North 1', parent: north.id })
    const closed = await make({ name: 'Closed', parent: main.id, is_active: false })
    const below = await make({ name: 'Below closed', parent: closed.id })
    expect(await namesOf(main.id)).toEqual(['Main', 'North', 'North 1', 'Below closed'])
    expect(await namesOf(below.id)).toEqual(['Below closed'])
    expect(await namesOf(closed.id)).toEqual([])
    const answer = await mine(north.id)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        count: 1,
        next: null,
        previous: null,
        results: [
          {
            id: north.id,
            name: 'North',
            division_type: 'sub',
            parent: main.id,
            phone_number: '1',
            erp_code: 'N',
            is_active: true,
            root: main.id,
            monthly_order_limit: '0.00',
            // Of the division above it.
            remaining: '100.00',
            ...unset,
            created_date: expect.any(String),
            modified_date: expect.any(String),
          },
        ],
      },
    ])
    // As the storefront client asks: by its own name, with the content type of a body that it does not send.
    const asked = await call('GET', '/b2b/my-divisions/', undefined, {
      ...(await authorization(await person({ division: north.id }))),
      'content-type': 'application/json',
    })
    expect([asked.statusCode, asked.json()]).toEqual([200, answer.json()])
    const first = (await mine(main.id)).json<{ results: object[] }>().results[0]
    expect(first).toMatchObject({ division_type: 'main', parent: null, monthly_order_limit: '100.00' })
    await patch(main.id, { is_active: false })
    expect(await namesOf(main.id)).toEqual([])
    expect(await namesOf(north.id)).toEqual(['North'])
  })

  test('are none for whoever has no division, and come page by page', async () => {
    const none = await call('GET', '/api/v1/my-divisions/')
    expect([none.statusCode, none.json()]).toEqual([200, { count: 0, next: null, previous: null, results: [] }])
    const main = await make({ name: 'Main' })
    await make({ name: 'Branch', parent: main.id })
    const headers = await authorization(await person({ division: main.id }))
    const page = await call('GET', '/api/v1/my-divisions/?limit=1&page=2', undefined, headers)
    expect(page.json()).toMatchObject({
      count: 2,
      next: null,
      previous: expect.any(String),
      results: [{ name: 'Branch' }],
    })
  })
})

test('people are put into divisions that there are', async () => {
  const { id } = await make()
  const buyer = await person({ division: id })
  const headers = await authorization(buyer)
  expect((await call('GET', '/api/v1/auth/me/', undefined, headers)).json()).toMatchObject({ division: id })
  const answer = await call('PATCH', `/api/v1/users/${buyer.id}/`, { division: 999_999 })
  expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['division']])
})

test('only staff see and change all divisions', async () => {
  const { id } = await make()
  const buyer = await authorization(await person({ division: id }))
  const staff = await authorization(await person({ is_staff: true }))
  for (const [headers, get, post] of [
    [buyer, 403, 403],
    [staff, 200, 201],
    [{ authorization: '' }, 401, 401],
  ] as const) {
    expect((await call('GET', path, undefined, headers)).statusCode).toBe(get)
    expect((await call('GET', `${path}${id}/`, undefined, headers)).statusCode).toBe(get)
    expect((await call('POST', path, { name: 'x' }, headers)).statusCode).toBe(post)
    expect((await call('PATCH', `${path}${id}/`, {}, headers)).statusCode).toBe(get)
  }
})
