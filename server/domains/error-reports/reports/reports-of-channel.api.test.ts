import { describe, expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const below = (channel: number | string, rest: number | string = '') =>
  `/api/v1/channel/${channel}/error_reports/${rest === '' ? '' : `${rest}/`}`

describe('below a channel', () => {
  test('its reports are listed, with the filters of the general list but that of the channel', async () => {
    const [channel, other] = [await make.channel(), await make.channel()]
    const [first, second] = [await make.ofChannel(channel), await make.ofChannel(channel, { is_ok: true })]
    await make.ofChannel(other)
    await make.report()
    const listed = await call('GET', below(channel))
    expect([listed.statusCode, listed.headers['x-total-count'], listed.json()]).toEqual([200, '2', [second, first]])
    const open = await call('GET', `${below(channel)}?is_ok=False&ordering=id&limit=1`)
    expect(open.json()).toEqual([first])
    expect((await call('GET', `${below(channel)}?channel=${other}`)).json()).toHaveProperty('channel')
    expect((await call('GET', below(999_999))).statusCode).toBe(404)
  })

  test('a report is read, changed with what was read, and deleted', async () => {
    const channel = await make.channel()
    const report = await make.ofChannel(channel)
    const path = below(channel, report.id)
    expect((await call('GET', path)).json()).toEqual(report)
    const patched = await call('PATCH', path, { ...report, is_ok: true })
    expect([patched.statusCode, patched.body]).toEqual([200, ''])
    expect(await make.read(report.id)).toMatchObject({ is_ok: true, resolved_how: 'patched' })
    const deleted = await call('DELETE', path)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    expect((await call('GET', path)).statusCode).toBe(404)
  })

  test.each([
    ['GET', undefined],
    ['PATCH', { is_ok: true }],
    ['DELETE', undefined],
  ] as const)('%s of a report of another channel, or of none, is 404', async (method, body) => {
    const channel = await make.channel()
    const strangers = [await make.ofChannel(await make.channel()), await make.report()]
    for (const { id } of strangers) {
      expect((await call(method, below(channel, id), body)).statusCode).toBe(404)
      expect(await make.read(id)).toMatchObject({ is_ok: false })
    }
  })
})

describe('a report that is sent as distinct', () => {
  const distinct = (channel: number, fields: object) => call('POST', below(channel, 'distinct'), make.body(fields))
  const object = { action_object_id: 7, error_code: 'no_category' }

  test('is brought up to date while it is open, and counted once more in its group', async () => {
    const channel = await make.channel()
    const first = await distinct(channel, { ...object, error_desc: 'No category', raw_response: 'one' })
    expect([first.statusCode, first.body]).toEqual([201, ''])
    const [made] = (await call('GET', below(channel))).json()
    const again = { ...object, error_desc: 'No category', raw_response: 'one', raw_request: 'token=of-the-shop-7' }
    expect((await distinct(channel, { ...again, obj_modified_date: '2026-11-22 10:00:00' })).statusCode).toBe(201)
    const { json, count } = await call('GET', below(channel)).then((answer) => ({
      json: answer.json(),
      count: answer.headers['x-total-count'],
    }))
    expect([count, json[0]]).toEqual([
      '1',
      {
        ...made,
        raw_request: 'token=***',
        obj_modified_date: '2026-11-22T10:00:00.000Z',
        updated_date: expect.any(String),
      },
    ])
    const group = await call('GET', `/api/v1/error_report_groups/${made.group}/`)
    expect(group.json()).toMatchObject({ count: 2, open_count: 1 })
  })

  test('is another one of another object, code or channel, and after it was resolved', async () => {
    const channel = await make.channel()
    await distinct(channel, object)
    await distinct(channel, { ...object, action_object_id: 8 })
    await distinct(channel, { ...object, error_code: 'no_price' })
    await distinct(await make.channel(), object)
    expect((await make.list(`channel=${channel}`)).count).toBe(3)
    // A success resolves what failed before for the same object.
    await distinct(channel, { action_object_id: 7, is_ok: true })
    expect((await make.list(`channel=${channel}&is_ok=false`)).count).toBe(1)
    await distinct(channel, object)
    expect((await make.list(`channel=${channel}&is_ok=false`)).count).toBe(2)
  })

  test('is one row when many come at once', async () => {
    const channel = await make.channel()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => distinct(channel, { ...object, error_desc: `${n}` })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201))
    expect((await make.list(`channel=${channel}`)).count).toBe(1)
    expect((await call('POST', below(999_999, 'distinct'), make.body())).statusCode).toBe(404)
  })
})

test('the prefix of the original’s older clients is the same as /api/v1', async () => {
  const { email: username, password } = testApp.superuser
  const login = await testApp.app.inject({
    method: 'POST',
    url: '/api/i1/auth/login/',
    payload: { username, password },
  })
  expect(login.json()).toEqual({ key: expect.any(String) })
  const channel = await make.channel()
  const { id } = await make.ofChannel(channel)
  for (const path of [
    '/content_types/?model=order',
    `/channels/${channel}/`,
    `/channel/${channel}/error_reports/${id}/`,
    `/error_reports/${id}/`,
  ])
    expect((await call('GET', `/api/i1${path}`)).json()).toEqual((await call('GET', `/api/v1${path}`)).json())
  expect((await call('GET', '/api/i1/users/')).statusCode).toBe(404)
  const list = await call('GET', `/api/i1/channel/${channel}/error_reports/?limit=1&page=2`)
  expect(list.headers.link).toContain(`/api/i1/channel/${channel}/error_reports/?`)
})
