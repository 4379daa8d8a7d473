import { describe, expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const path = '/api/v1/place_mappings/'

let made = 0
const parents = { city: 'country_id', township: 'city_id', district: 'township_id' } as const
/** A report of a place that could not be mapped; each has a body of its own. */
const report = (channel: number, type: keyof typeof parents, remoteCode: string) => {
  made += 1
  return call('POST', `/api/v1/channel/${channel}/error_reports/${type}/`, {
    type,
    remote_code: remoteCode,
    [parents[type]]: 1,
    integration_type: 'sales_channel',
    err_code: 'integrations_200_10_2',
    err_desc: `No mapping, request ${100_000 + made}`,
  })
}
const mapping = (channel: number, type: string, remoteCode: string, fields: object = {}) =>
  call('POST', path, { channel, type, remote_code: remoteCode, local_name: 'Istanbul', ...fields })
const read = async (id: number) => (await call('GET', `/api/v1/error_reports/${id}`)).json()

describe('mapping a place', () => {
  test('resolves the open reports of that channel, type and code, and no others', async () => {
    const channel = await make.channel()
    const other = await make.channel()
    const wanted = [await report(channel, 'city', '34'), await report(channel, 'city', '34')].map((answer) =>
      answer.json(),
    )
    const others = [
      await report(channel, 'city', '35'),
      await report(channel, 'township', '34'),
      await report(other, 'city', '34'),
    ].map((answer) => answer.json())
    const answer = await mapping(channel, 'city', '34', { local_id: 7 })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      channel,
      type: 'city',
      remote_code: '34',
      local_id: 7,
      resolved: 2,
      remaining: 0,
    })
    for (const { id } of wanted) expect(await read(id)).toMatchObject({ is_ok: true, resolved_how: 'mapped' })
    for (const { id } of others) expect(await read(id)).toMatchObject({ is_ok: false, resolved_how: null })
    expect((await call('GET', `/api/v1/error_report_groups/${wanted[0].group}/`)).json().open_count).toBe(1)
  })

  test('is first tried: how many it would resolve, and the newest of them; nothing is written', async () => {
    const channel = await make.channel()
    const ids: number[] = []
    for (let n = 0; n < 6; n++) ids.push((await report(channel, 'city', '34')).json().id)
    await report(channel, 'city', '35')
    const dryRun = (remoteCode: string, of = channel) =>
      call('POST', `${path}?dry_run=true`, {
        channel: of,
        type: 'city',
        remote_code: remoteCode,
        local_name: 'Istanbul',
      })
    const answer = await dryRun('34')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      count: 6,
      sample: ids
        .slice(1)
        .toReversed()
        .map((id) => ({ id })),
    })
    expect(await read(ids[0] ?? 0)).toMatchObject({ is_ok: false })
    expect((await dryRun('36')).json()).toEqual({ count: 0, sample: [] })
    expect((await mapping(channel, 'city', '34')).json()).toMatchObject({ resolved: 6 })
    expect((await dryRun('34')).json()).toHaveProperty('remote_code')
    expect((await dryRun('34', 999_999)).json()).toHaveProperty('channel')
  })

  test('makes later reports of it resolved from the start', async () => {
    const channel = await make.channel()
    await mapping(channel, 'district', 'D-1')
    const later = (await report(channel, 'district', 'D-1')).json()
    expect(await read(later.id)).toMatchObject({ is_ok: true, resolved_how: 'mapped', group: null })
  })

  test('leaves no report open that comes at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const channel = await make.channel()
      const [reported] = await Promise.all([report(channel, 'city', 'X'), mapping(channel, 'city', 'X')])
      expect(await read(reported.json().id)).toMatchObject({ is_ok: true, resolved_how: 'mapped' })
    }
  })

  test('is done once: the second of two is refused', async () => {
    const channel = await make.channel()
    const answers = await Promise.all([1, 2].map(() => mapping(channel, 'city', '06')))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400])
    expect(answers.find(({ statusCode }) => statusCode === 400)?.json()).toHaveProperty('remote_code')
  })

  test.each([
    [{ channel: 999_999 }, 'channel'],
    [{ type: 'country' }, 'type'],
    [{ remote_code: '' }, 'remote_code'],
    [{ local_name: ' ' }, 'local_name'],
    [{ local_id: 'x' }, 'local_id'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is refused', async (fields, field) => {
    const answer = await mapping(await make.channel(), 'city', '1', fields)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toHaveProperty(field)
  })
})

test('a mapping is listed, read, changed and removed; a channel with one stays', async () => {
  const channel = await make.channel()
  const { id } = (await mapping(channel, 'city', '34')).json()
  await mapping(channel, 'township', '34')
  expect((await call('GET', `${path}?channel=${channel}&type=city&remote_code=34`)).json()).toMatchObject([{ id }])
  expect((await call('GET', `${path}?channel=${channel}`)).headers['x-total-count']).toBe('2')
  const changed = await call('PATCH', `${path}${id}/`, { local_id: 9, local_name: 'Ankara', remote_code: 'ignored' })
  expect(changed.json()).toMatchObject({ id, local_id: 9, local_name: 'Ankara', remote_code: '34' })
  expect((await call('GET', `${path}${id}/`)).json()).toEqual(changed.json())
  expect((await call('DELETE', `/api/v1/channels/${channel}/`)).json()).toMatchObject({ code: 'channel_in_use' })
  expect((await call('DELETE', `${path}${id}/`)).statusCode).toBe(204)
  expect((await call('PATCH', `${path}${id}/`, {})).statusCode).toBe(404)
})
