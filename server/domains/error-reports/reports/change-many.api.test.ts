import { describe, expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const people = makePeople(testApp)
const path = '/api/v1/error_reports/'

interface Changed {
  readonly status: string
  readonly count: number
  readonly is_exact: boolean
  readonly changed: number[]
  readonly undo: number | null
  readonly sample: { readonly id: number }[]
}
const post = (kind: 'resolve' | 'reopen', query: string, body?: object) => call('POST', `${path}${kind}/${query}`, body)
const change = async (...args: Parameters<typeof post>): Promise<Changed> => {
  const answer = await post(...args)
  expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.any(String)])
  return answer.json<Changed>()
}
const three = async (fields: object = {}) => {
  const channel = await make.channel()
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push((await make.ofChannel(channel, { error_code: 'custom', ...fields })).id)
  return { channel, ids }
}
const areOk = async (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await make.read(id)).is_ok))

describe('many reports', () => {
  test('are resolved by their ids, as each alone would be, and the answer undoes it', async () => {
    const { ids } = await three()
    await call('PATCH', `${path}${ids[2]}/`, { is_ok: true })
    const group = (await make.read(ids[0] ?? 0)).group
    const resolved = await change('resolve', '', { ids: [...ids, 999_999] })
    expect(resolved).toMatchObject({ status: 'done', count: 2, is_exact: true, changed: ids.slice(0, 2), sample: [] })
    expect(await make.read(ids[0] ?? 0)).toMatchObject({ is_ok: true, resolved_how: 'patched' })
    const groups = async () => (await call('GET', `/api/v1/error_report_groups/${group}/`)).json()
    expect(await groups()).toMatchObject({ open_count: 0, state: 'resolved' })

    const reopened = await change('reopen', '', { undo: resolved.undo })
    expect(reopened).toMatchObject({ status: 'done', count: 2, changed: ids.slice(0, 2) })
    expect(await areOk(ids)).toEqual([false, false, true])
    expect(await make.read(ids[0] ?? 0)).toMatchObject({ resolved_how: null })
    expect(await groups()).toMatchObject({ open_count: 2, state: 'open' })

    expect((await change('resolve', '', { undo: reopened.undo })).changed).toEqual(ids.slice(0, 2))
    expect(await areOk(ids)).toEqual([true, true, true])
  })

  test('are those of the filters of the list; a dry run counts them, shows some and changes none', async () => {
    const { channel, ids } = await three()
    const other = await make.ofChannel(channel, { error_code: 'other' })
    const query = `?channel=${channel}&error_code=custom`
    const dry = await change('resolve', `${query}&dry_run=true`)
    expect(dry).toMatchObject({ status: 'dry_run', count: 3, changed: [], undo: null })
    expect(dry.sample.map(({ id }) => id)).toEqual(ids)
    expect(await areOk(ids)).toEqual([false, false, false])

    expect(await change('resolve', query)).toMatchObject({ status: 'done', count: 3, changed: ids })
    expect(await areOk([...ids, other.id])).toEqual([true, true, true, false])
    expect(await change('resolve', query)).toMatchObject({ count: 0, changed: [], undo: null })
    expect(await change('resolve', `${query}&is_ok=true`)).toMatchObject({ count: 0 })
    expect((await change('reopen', query)).changed).toEqual(ids)
  })

  test.each(['q=Unmatchable+words', 'created_date__gte=2027-01-01T00:00:00Z', 'target_object_id=999'])(
    'are none where the filters fit none (%s)',
    async (query) => {
      const { channel } = await three()
      expect(await change('resolve', `?channel=${channel}&${query}`)).toMatchObject({ count: 0, changed: [] })
    },
  )

  test('are found by words, and by a target that is not the channel', async () => {
    const { channel, ids } = await three({
      error_desc: 'Zebra crossing',
      target_content_type: 12,
      target_object_id: 77,
    })
    const query = `?channel=${channel}&q=crossing+zebra&target_object_id=77`
    expect((await change('resolve', query)).changed).toEqual(ids)
  })

  test('that are logs of success are not opened by filters', async () => {
    const channel = await make.channel()
    const { id } = await make.ofChannel(channel, { is_ok: true })
    expect(await change('reopen', `?channel=${channel}`)).toMatchObject({ count: 0, changed: [] })
    expect((await make.read(id)).is_ok).toBe(true)
  })

  test('that were changed since are not undone', async () => {
    const { ids } = await three()
    const { undo } = await change('resolve', '', { ids })
    await call('PATCH', `${path}${ids[1]}/`, { error_desc: 'Looked at.' })
    expect((await change('reopen', '', { undo })).changed).toEqual([ids[0], ids[2]])
    expect(await change('reopen', '', { undo })).toMatchObject({ count: 0, changed: [] })
  })
})

describe('a request is refused', () => {
  test.each([
    ['that does not say which reports', '', undefined],
    ['that says it twice', '?is_ok=false', { ids: [1] }],
    ['with ids and an undo', '', { ids: [1], undo: 1 }],
    ['with no ids', '', { ids: [] }],
    ['with more than 1,000 ids', '', { ids: Array.from({ length: 1_001 }, (_, n) => n + 1) }],
    ['with a filter that is none', '?colour=red', undefined],
    ['with a filter of another form', '?created_date__gte=yesterday', undefined],
  ])('%s', async (_, query, body) => {
    expect((await post('resolve', query, body)).statusCode).toBe(400)
  })

  test('that would undo what is not there, or was the same operation', async () => {
    const { ids } = await three()
    const { undo } = await change('resolve', '', { ids })
    expect((await post('resolve', '', { undo })).json()).toHaveProperty('undo')
    expect((await post('reopen', '', { undo: 999_999 })).json()).toHaveProperty('undo')
  })

  test('of whoever is not staff', async () => {
    const headers = await people.authorization(await people.person())
    expect((await call('POST', `${path}resolve/`, { ids: [1] }, headers)).statusCode).toBe(403)
  })
})

describe('all open reports of a group', () => {
  const group = async () => {
    const { ids } = await three()
    return { ids, url: `/api/v1/error_report_groups/${(await make.read(ids[0] ?? 0)).group}/` }
  }

  test('are counted by a dry run, resolved, and opened again', async () => {
    const { ids, url } = await group()
    expect((await call('POST', `${url}resolve_all/?dry_run=true`)).json()).toEqual({
      status: 'dry_run',
      total: 3,
      resolved: 0,
      undo: null,
    })
    expect(await areOk(ids)).toEqual([false, false, false])
    const { undo } = (await call('POST', `${url}resolve_all/`)).json<Changed>()
    expect(await areOk(ids)).toEqual([true, true, true])
    expect((await change('reopen', '', { undo })).changed).toEqual(ids)
    expect((await call('GET', url)).json()).toMatchObject({ state: 'open', open_count: 3, resolved_by: null })
  })

  test('are said to be of others by a dry run of a retry', async () => {
    const { ids, url } = await group()
    expect((await call('POST', `${url}retry_all/?dry_run=true`)).json()).toEqual({
      status: 'dry_run',
      total: 3,
      started: 0,
      not_retryable: 3,
      not_allowed: 0,
    })
    expect(await make.read(ids[0] ?? 0)).toMatchObject({ retry_count: 0 })
  })
})
