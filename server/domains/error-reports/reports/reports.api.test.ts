import { describe, expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const path = (id: number | string): string => `/api/v1/error_reports/${id}/`

describe('a report', () => {
  test('is answered with every field of the document, and as it is read', async () => {
    const body = make.body({
      target_content_type: 4,
      target_object_id: 7,
      raw_request: 'POST-https://shop.example/-{}',
      raw_response: null,
    })
    const answer = await call('POST', '/api/v1/error_reports/', body)
    expect(answer.statusCode).toBe(201)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answer.json()).toEqual({
      ...body,
      id: expect.any(Number),
      target_object_id: '7',
      action: { type: 'package', id: body['action_object_id'], label: expect.any(String), url: expect.any(String) },
      target: { type: 'stocklocation', id: '7', label: 'stocklocation 7', url: expect.stringMatching(/^http/) },
      links: {
        action: {
          content_type: 'package',
          id: String(body['action_object_id']),
          path: `/packages/${String(body['action_object_id'])}`,
        },
        target: { content_type: 'stocklocation', id: '7', path: '/stock_locations/7' },
      },
      obj_modified_date: '2026-11-21T09:30:00.000Z',
      is_ok: false,
      created_date: time,
      updated_date: time,
      channel: null,
      group: expect.any(Number),
      resolved_date: null,
      resolved_by: null,
      resolved_how: null,
      source: null,
      is_retryable: false,
      retry_count: 0,
      last_retry_date: null,
    })
    for (const spelling of [path(answer.json().id), path(answer.json().id).slice(0, -1)])
      expect((await call('GET', spelling)).json()).toEqual(answer.json())
  })

  test('that logs a success has no group', async () => {
    expect(await make.report({ is_ok: true })).toMatchObject({ is_ok: true, group: null, resolved_how: null })
  })

  test.each([
    [{ action_content_type: undefined }, 'action_content_type'],
    [{ action_object_id: undefined }, 'action_object_id'],
    [{ obj_modified_date: undefined }, 'obj_modified_date'],
    [{ obj_modified_date: 'yesterday' }, 'obj_modified_date'],
    [{ error_code: undefined }, 'error_code'],
    [{ error_code: 'x'.repeat(129) }, 'error_code'],
    [{ error_desc: undefined }, 'error_desc'],
    [{ is_ok: 'no' }, 'is_ok'],
    [{ target_object_id: true }, 'target_object_id'],
    [{ action_object_id: 2 ** 53 }, 'action_object_id'],
    [{ action_content_type: 2 ** 31 }, 'action_content_type'],
    [{ colour: 'red' }, 'colour'],
  ])('with %j is refused by name', async (fields, field) => {
    const answer = await make.post(fields)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]])
  })

  test('takes a code of 128 characters beyond the first plane', async () => {
    const code = '😀'.repeat(128)
    expect(await make.report({ error_code: code })).toMatchObject({ error_code: code })
  })

  test('has no credentials in its code, nor in one that it is given later', async () => {
    const secret = { error_code: 'GET /orders?api_key=s3cr3t-9' }
    const masked = { error_code: 'GET /orders?api_key=***' }
    const report = await make.report(secret)
    expect(report).toMatchObject(masked)
    const channel = await make.channel()
    expect(await make.ofChannel(channel, secret)).toMatchObject(masked)
    const city = { remote_code: 'X1', country_id: 1, err_code: secret.error_code }
    expect((await call('POST', `/api/v1/channel/${channel}/error_reports/city/`, city)).json()).toMatchObject(masked)
    const other = { error_code: 'password=s3cr3t' }
    await call('PATCH', path(report.id), other)
    expect(await make.read(report.id)).toMatchObject({ error_code: 'password=***' })
    const changed = await call('PATCH', `${path(report.id)}update_error_code/`, { error_code: 'token=s3cr3t' })
    expect(changed.json()).toMatchObject({ error_code: 'token=***' })
    const long = { error_code: `password=x${'&pwd=y'.repeat(19)}` }
    expect((await make.report(long)).error_code).toHaveLength(128)
    const group = (await call('GET', `/api/v1/error_report_groups/${report.group}/`)).json()
    expect(group.code_pattern).toBe(masked.error_code)
  })

  test('takes back what was read', async () => {
    const report = await make.report({ raw_request: 'x' })
    const answer = await call('PATCH', path(report.id), report)
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(await make.read(report.id)).toEqual(report)
  })

  test('is changed by any subset of its fields, with an empty answer', async () => {
    const report = await make.report()
    const answer = await call('PATCH', path(report.id), { error_desc: 'Other', target_object_id: 'A1' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    const changed = await make.read(report.id)
    expect(changed).toMatchObject({ error_desc: 'Other', target_object_id: 'A1', error_code: report.error_code })
    expect(changed.updated_date > report.updated_date).toBe(true)
  })

  test('is resolved by is_ok true, and opened again by false', async () => {
    const report = await make.report()
    await call('PATCH', path(report.id), { is_ok: true })
    const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>()
    expect((await call('GET', path(report.id))).json()).toMatchObject({
      is_ok: true,
      resolved_how: 'patched',
      resolved_by: me.id,
      resolved_date: expect.any(String),
      group: report.group,
    })
    await call('PATCH', path(report.id), { is_ok: false })
    expect((await call('GET', path(report.id))).json()).toMatchObject({
      is_ok: false,
      resolved_how: null,
      resolved_by: null,
      resolved_date: null,
    })
  })

  test('can have its action object and its code changed alone, answered with the report', async () => {
    const report = await make.report()
    const object = await call('PATCH', `${path(report.id)}update_action_object_id/`, { action_object_id: 99 })
    expect([object.statusCode, object.json()]).toEqual([200, expect.objectContaining({ action_object_id: 99 })])
    const code = await call('PATCH', `${path(report.id)}update_error_code`, { error_code: 'new' })
    expect(code.json()).toMatchObject({ id: report.id, action_object_id: 99, error_code: 'new' })
    for (const field of ['update_action_object_id', 'update_error_code']) {
      const none = await call('PATCH', `${path(report.id)}${field}/`, {})
      expect([none.statusCode, none.json()]).toEqual([200, code.json()])
    }
  })

  test('is gone after it was deleted', async () => {
    const { id } = await make.report()
    const answer = await call('DELETE', path(id))
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    for (const [method, spelling] of [
      ['GET', path(id)],
      ['DELETE', path(id)],
      ['PATCH', path(id)],
      ['PATCH', `${path(id)}update_error_code/`],
      ['PATCH', `${path(id)}update_action_object_id/`],
    ] as const) {
      const again = await call(method, spelling, method === 'PATCH' ? {} : undefined)
      expect([again.statusCode, Object.keys(again.json())]).toEqual([404, ['detail']])
    }
  })

  test('is for staff with the scope', async () => {
    const people = makePeople(testApp)
    const { id } = await make.report()
    const [user, staff] = [
      await people.authorization(await people.person()),
      await people.authorization(await people.person({ is_staff: true })),
    ]
    const key = await call('POST', '/api/v1/auth/api-keys/', { name: 'x', scopes: ['error-reports:read'] })
    const reader = { authorization: key.json<{ key: string }>().key }
    const status = async (method: 'GET' | 'DELETE', headers: Record<string, string>) =>
      (await call(method, path(id), undefined, headers)).statusCode
    expect(await status('GET', { authorization: '' })).toBe(401)
    expect(await status('GET', user)).toBe(403)
    expect(await status('GET', reader)).toBe(200)
    expect(await status('DELETE', reader)).toBe(403)
    expect(await status('DELETE', staff)).toBe(204)
  })
})

describe('creation', () => {
  test('by the same body is the same row for ten minutes: first 201, then 200', async () => {
    const body = make.body()
    const answers = [
      await call('POST', '/api/v1/error_reports/', body),
      await call('POST', '/api/v1/error_reports/', body),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200])
    expect(answers[1]?.json()).toEqual(answers[0]?.json())
    await testApp.database.db
      .updateTable('errorReports')
      .set({ createdAt: new Date(Date.now() - 600_001) })
      .where('id', '=', answers[0]?.json<{ id: number }>().id ?? 0)
      .execute()
    const late = await call('POST', '/api/v1/error_reports/', body)
    expect(late.statusCode).toBe(201)
    expect(late.json().id).not.toBe(answers[0]?.json().id)
  })

  test('ten times at once makes one row', async () => {
    const body = make.body()
    const channel = await make.channel()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `/api/v1/channel/${channel}/error_reports/`, body)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(9)
    expect(new Set(answers.map((answer) => answer.json<{ id: number }>().id)).size).toBe(1)
    expect((await make.list(`channel=${channel}`)).count).toBe(1)
  })

  test('is another one when the failure was resolved since: it has happened again', async () => {
    const body = make.body()
    const channel = await make.channel()
    const first = await make.ofChannel(channel, body)
    await call('PATCH', `/api/v1/error_reports/${first.id}/`, { is_ok: true })
    const second = await make.ofChannel(channel, body)
    expect([second.id === first.id, second.is_ok]).toEqual([false, false])
    expect((await make.ofChannel(channel, body)).id).toBe(second.id)
    const success = await make.ofChannel(channel, { ...body, is_ok: true })
    expect((await make.read(second.id)).resolved_how).toBe('later_success')
    expect((await make.ofChannel(channel, { ...body, is_ok: true })).id).toBe(success.id)
    const third = await make.ofChannel(channel, body)
    expect([first.id, second.id].includes(third.id)).toBe(false)
    expect((await make.ofChannel(channel, { ...body, is_ok: true })).id).toBeGreaterThan(third.id)
    expect((await make.read(third.id)).is_ok).toBe(true)
  })

  test('of a place is another row when its mapping was removed since', async () => {
    const channel = await make.channel()
    const send = async () =>
      (
        await call('POST', `/api/v1/channel/${channel}/error_reports/city/`, { remote_code: 'Y1', country_id: 1 })
      ).json<{ id: number; is_ok: boolean }>()
    const first = await send()
    const place = { channel, type: 'city', remote_code: 'Y1', local_name: 'Izmir' }
    const mapping = (await call('POST', '/api/v1/place_mappings/', place)).json<{ id: number }>()
    expect(await send()).toMatchObject({ id: first.id, is_ok: true })
    await call('DELETE', `/api/v1/place_mappings/${mapping.id}/`)
    const second = await send()
    expect([second.id === first.id, second.is_ok]).toEqual([false, false])
  })

  test('of an object that was corrected does not answer for the one that is sent', async () => {
    const body = make.body()
    const first = await make.report(body)
    await call('PATCH', `/api/v1/error_reports/${first.id}/update_action_object_id/`, { action_object_id: 424_242 })
    expect((await make.report(body)).id).not.toBe(first.id)
  })

  test('of success resolves no places: that something works in a country says nothing of its cities', async () => {
    const channel = await make.channel()
    const place = { remote_code: 'X1', country_id: 1 }
    const city = (await call('POST', `/api/v1/channel/${channel}/error_reports/city/`, place)).json<{ id: number }>()
    await make.ofChannel(channel, { action_content_type: 25, action_object_id: 1, is_ok: true })
    expect((await make.read(city.id)).is_ok).toBe(false)
  })

  test('by the same body is another row for each channel', async () => {
    const body = make.body()
    const [one, other] = [await make.channel(), await make.channel()]
    const ids = [
      (await make.report(body)).id,
      (await make.ofChannel(one, body)).id,
      (await make.ofChannel(other, body)).id,
    ]
    expect(new Set(ids).size).toBe(3)
  })

  test('with an Idempotency-Key is written once, and answered again as it was', async () => {
    const body = make.body()
    const headers = { 'idempotency-key': 'report-1' }
    const first = await call('POST', '/api/v1/error_reports/', body, headers)
    const again = await call('POST', '/api/v1/error_reports/', body, headers)
    expect([first.statusCode, again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
  })

  test('in a channel that there is not is 404, and does no harm to what comes with it', async () => {
    const channel = await make.channel()
    const answers = await Promise.all([
      call('POST', '/api/v1/channel/999999/error_reports/', make.body()),
      call('POST', `/api/v1/channel/${channel}/error_reports/`, make.body()),
      call('POST', '/api/v1/channel/x/error_reports/', make.body()),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 201, 404])
  })

  test('by a channel has the channel as target, and custom code and description, when it names none', async () => {
    const channel = await make.channel()
    const sent = { action_content_type: 1, action_object_id: 5, obj_modified_date: '2026-11-21T09:30:00+03:00' }
    const answer = await call('POST', `/api/v1/channel/${channel}/error_reports/`, sent)
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      expect.objectContaining({
        ...sent,
        obj_modified_date: '2026-11-21T06:30:00.000Z',
        channel,
        target_content_type: contentTypes.channel,
        target_object_id: String(channel),
        error_code: 'custom',
        error_desc: 'custom',
      }),
    ])
    const named = await make.ofChannel(channel, { target_content_type: 1, target_object_id: '8' })
    expect(named).toMatchObject({ target_content_type: 1, target_object_id: '8' })
  })

  test('of a success resolves what failed before for the same object in the same channel', async () => {
    const channel = await make.channel()
    const of = { action_content_type: 2, action_object_id: 4711 }
    const failed = [await make.ofChannel(channel, of), await make.ofChannel(channel, of)]
    const elsewhere = await make.ofChannel(await make.channel(), of)
    const other = await make.ofChannel(channel, { ...of, action_object_id: 4712 })
    await make.ofChannel(channel, { ...of, is_ok: true })
    for (const { id } of failed)
      expect(await make.read(id)).toMatchObject({ is_ok: true, resolved_how: 'later_success' })
    for (const { id } of [elsewhere, other]) expect(await make.read(id)).toMatchObject({ is_ok: false })
    expect(await make.ofChannel(channel, of)).toMatchObject({ is_ok: false })
  })
})
