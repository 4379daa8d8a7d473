import { describe, expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const people = makePeople(testApp)

const catalog = async (name: string): Promise<number> => (await call('POST', '/api/v1/catalogs/', { name })).json().id
const channel = async (name: string, of: number): Promise<number> =>
  (await call('POST', '/api/v1/channels/', { name, catalog: of })).json().id

describe('a catalogue', () => {
  test('is created, read, renamed and removed', async () => {
    const created = await call('POST', '/api/v1/catalogs/', { name: 'Summer' })
    expect(created.statusCode).toBe(201)
    const { id } = created.json()
    expect((await call('GET', `/api/v1/catalogs/${id}/`)).json()).toEqual(created.json())
    expect((await call('PATCH', `/api/v1/catalogs/${id}/`, { name: 'Winter', id: 7 })).json()).toMatchObject({
      id,
      name: 'Winter',
    })
    expect((await call('DELETE', `/api/v1/catalogs/${id}/`)).statusCode).toBe(204)
    expect((await call('GET', `/api/v1/catalogs/${id}/`)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/v1/catalogs/${id}/`)).statusCode).toBe(404)
  })

  test('has a name of its own, also when two are made at once', async () => {
    const answers = await Promise.all([1, 2].map(() => call('POST', '/api/v1/catalogs/', { name: 'Twice' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400])
    const other = await catalog('Once')
    const renamed = await call('PATCH', `/api/v1/catalogs/${other}/`, { name: 'Twice' })
    expect(renamed.statusCode).toBe(400)
    expect(renamed.json()).toEqual({ name: ['Another catalog has this name.'] })
  })

  test.each([[{}], [{ name: '' }], [{ name: ' ' }], [{ name: 'x'.repeat(256) }], [{ name: 7 }]])(
    'is not made of %j',
    async (body) => {
      const answer = await call('POST', '/api/v1/catalogs/', body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toHaveProperty('name')
    },
  )

  test('with channels is not removed', async () => {
    const id = await catalog('Used')
    await channel('Shop', id)
    const answer = await call('DELETE', `/api/v1/catalogs/${id}/`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'catalog_in_use' })
  })
})

describe('a channel', () => {
  test('belongs to a catalogue that is there, in which its name is its own', async () => {
    const one = await catalog('One')
    const two = await catalog('Two')
    const id = await channel('Market', one)
    expect((await call('POST', '/api/v1/channels/', { name: 'Market', catalog: one })).json()).toHaveProperty('name')
    expect((await call('POST', '/api/v1/channels/', { name: 'Market', catalog: 999_999 })).json()).toHaveProperty(
      'catalog',
    )
    await channel('Market', two)
    expect((await call('PATCH', `/api/v1/channels/${id}/`, { catalog: two })).json()).toHaveProperty('name')
    expect((await call('PATCH', `/api/v1/channels/${id}/`, { catalog: two, name: 'M2' })).json()).toMatchObject({
      id,
      catalog: two,
      name: 'M2',
    })
    expect((await call('GET', `/api/v1/channels/?catalog=${two}&name=m`)).json()).toHaveLength(2)
    expect((await call('GET', `/api/v1/channels/?catalog=${two}&name=M2`)).headers['x-total-count']).toBe('1')
  })

  test('shows what integrations read of it, which can be changed', async () => {
    const of = await catalog('Settings')
    const channelShown = (await call('POST', '/api/v1/channels/', { name: 'Plain', catalog: of })).json<{
      id: number
    }>()
    const { id } = channelShown
    expect(channelShown).toMatchObject({ pk: id, is_active: true, conf: {} })
    const conf = { connection_pool_count: 10, nested: { list: [1, null] } }
    const changed = await call('PATCH', `/api/v1/channels/${id}/`, { ...channelShown, is_active: false, conf })
    expect(changed.json()).toEqual({
      ...channelShown,
      is_active: false,
      conf,
      modified_date: expect.any(String),
    })
    expect((await call('PATCH', `/api/v1/channels/${id}/`, { name: 'Renamed' })).json()).toMatchObject({ conf })
    expect((await call('GET', `/api/v1/channels/?catalog=${of}&is_active=False`)).json()).toHaveLength(1)
    expect((await call('PATCH', `/api/v1/channels/${id}/`, { conf: [] })).json()).toHaveProperty('conf')
  })

  test('with reports is not removed; with groups that are empty it is, and they with it', async () => {
    const id = await channel('Reporting', await catalog('Reports'))
    const report = await make.ofChannel(id)
    const refused = await call('DELETE', `/api/v1/channels/${id}/`)
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'channel_in_use' })
    await call('DELETE', `/api/v1/error_reports/${report.id}/`)
    expect((await call('DELETE', `/api/v1/channels/${id}/`)).statusCode).toBe(204)
    expect((await call('GET', `/api/v1/error_report_groups/${report.group}/`)).statusCode).toBe(404)
  })

  test('is never removed under a report that comes at the same time', async () => {
    const of = await catalog('Races')
    for (let round = 0; round < 8; round++) {
      const id = await channel(`Race ${round}`, of)
      const [removed, reported] = await Promise.all([
        call('DELETE', `/api/v1/channels/${id}/`),
        call('POST', `/api/v1/channel/${id}/error_reports/`, make.body()),
      ])
      expect([`${removed.statusCode} ${reported.statusCode}`]).toContainEqual(
        expect.stringMatching(/^(204 404|400 201)$/),
      )
    }
  })
})

test('both are for staff with the scope', async () => {
  const headers = await people.authorization(await people.person())
  for (const path of ['/api/v1/catalogs/', '/api/v1/channels/', '/api/v1/content_types/', '/api/v1/place_mappings/'])
    expect((await call('GET', path, undefined, headers)).statusCode).toBe(403)
})

describe('content types', () => {
  test.each([
    ['product', 12],
    ['batchrequest', 15],
    ['channel', 10],
    ['package', 1],
    ['District', 27],
  ])('are looked up by model: %s is one row with the id %i', async (model, id) => {
    const rows = (await call('GET', `/api/v1/content_types/?model=${model}&page=1`)).json()
    expect(rows).toEqual([{ id, app_label: expect.any(String), model: model.toLowerCase() }])
  })

  test('are read by id; one that is none is 404', async () => {
    const row = (await call('GET', '/api/v1/content_types/12/')).json()
    expect(row).toEqual({ id: 12, app_label: expect.any(String), model: 'product' })
    expect((await call('GET', '/api/v1/content_types/999/')).statusCode).toBe(404)
  })

  test('that are not known are an empty list, and all of them come in pages', async () => {
    expect((await call('GET', '/api/v1/content_types/?model=nothing')).json()).toEqual([])
    const page = await call('GET', '/api/v1/content_types/?limit=3&page=2')
    expect(page.json().map(({ id }: { id: number }) => id)).toEqual([4, 5, 6])
    expect(Number(page.headers['x-total-count'])).toBeGreaterThan(20)
  })
})
