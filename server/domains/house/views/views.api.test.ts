import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const { person, authorization } = makePeople(app)
const [ayse, bora] = await Promise.all(
  ['Ayşe', 'Bora'].map(async (name) => authorization(await person({ is_staff: true, first_name: name }))),
)
const url = '/api/v1/views/'

interface View {
  readonly id: number
  readonly name: string
  readonly is_mine: boolean
}
const save = async (headers: typeof ayse, fields: object = {}): Promise<View> => {
  const body = { screen: 'deliveries', name: 'Failed', query: 'status=failed', ...fields }
  const answer = await call('POST', url, body, headers)
  expect(answer.statusCode).toBe(201)
  return answer.json()
}
const names = async (headers: typeof ayse, query = '') =>
  (await call('GET', `${url}?${query}`, undefined, headers)).json<View[]>().map(({ name }) => name)

test('people have their own views and those that are shared, and no others', async () => {
  const view = await save(ayse)
  expect(view).toMatchObject({
    screen: 'deliveries',
    name: 'Failed',
    query: 'status=failed',
    is_shared: false,
    is_mine: true,
    owner: { name: 'Ayşe' },
  })
  await save(ayse, { name: 'Everything', query: '', is_shared: true })
  await save(ayse, { name: 'Late', screen: 'orders' })
  expect(await names(ayse)).toEqual(['Everything', 'Failed', 'Late'])
  expect(await names(ayse, 'screen=orders')).toEqual(['Late'])
  expect(await names(bora)).toEqual(['Everything'])
  const [shared] = (await call('GET', url, undefined, bora)).json<View[]>()
  expect(shared).toMatchObject({ is_mine: false, owner: { name: 'Ayşe' } })
})

test('a superuser shares the view of somebody else no longer', async () => {
  const { id } = await save(ayse, { name: 'For all', screen: 'mails', is_shared: true })
  const answer = await call('PATCH', `${url}${id}/`, { is_shared: false })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { is_shared: false, is_mine: false }])
  expect(await names(ayse, 'screen=mails')).toEqual(['For all'])
  expect(await names(bora, 'screen=mails')).toEqual([])
  expect((await call('PATCH', `${url}${id}/`, { is_shared: true })).statusCode).toBe(404)
})

test('only the owner and superusers change and remove a view', async () => {
  const { id } = await save(ayse, { name: 'Mine', is_shared: true })
  const { id: hidden } = await save(ayse, { name: 'Hidden' })
  const statuses = async (headers: Record<string, string>, of = id) => [
    (await call('PATCH', `${url}${of}/`, { query: 'a=1' }, headers)).statusCode,
    (await call('DELETE', `${url}${of}/`, undefined, headers)).statusCode,
  ]
  expect(await statuses(bora ?? {})).toEqual([403, 403])
  expect(await statuses(bora ?? {}, hidden)).toEqual([404, 404])
  const renamed = await call('PATCH', `${url}${id}/`, { name: 'Renamed' }, ayse)
  expect(renamed.json()).toMatchObject({ name: 'Renamed', query: 'status=failed', is_shared: true })
  expect(await statuses({})).toEqual([200, 204])
  expect((await call('PATCH', `${url}${id}/`, {}, ayse)).statusCode).toBe(404)
})

test('a name is taken once by each owner on each screen', async () => {
  await save(bora, { name: 'Once' })
  await save(bora, { name: 'Once', screen: 'orders' })
  await save(ayse, { name: 'Once' })
  const twice = await call('POST', url, { screen: 'orders', name: 'Once' }, bora)
  expect([twice.statusCode, twice.json()]).toEqual([
    400,
    { name: ['Its owner has a view of this name on this screen.'] },
  ])
  const { id } = await save(bora, { name: 'Twice', screen: 'orders' })
  expect((await call('PATCH', `${url}${id}/`, { name: 'Once' }, bora)).statusCode).toBe(400)
})

test.each([
  ['screen', 'No Screen'],
  ['screen', ''],
  ['name', ' '],
  ['name', 'x'.repeat(101)],
  ['query', 'x'.repeat(2_001)],
  ['colour', 'red'],
])('%s is not %j', async (field, value) => {
  const answer = await call('POST', url, { screen: 'orders', name: 'Any', [field]: value }, bora)
  expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, [field]])
})

test('nobody has more than 100, and buyers have none', async () => {
  const cem = await authorization(await person({ is_staff: true }))
  for (let made = 0; made < 100; made += 1) await save(cem, { name: `View ${made}` })
  expect((await call('POST', url, { screen: 'deliveries', name: 'One more' }, cem)).statusCode).toBe(400)
  expect((await call('GET', url, undefined, await authorization(await person()))).statusCode).toBe(403)
})
