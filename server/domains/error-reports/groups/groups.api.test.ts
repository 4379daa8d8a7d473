import { describe, expect, test } from 'vitest'
import { dayMs } from '#platform/clock.ts'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call } = testApp
const make = makeErrorReports(testApp)
const people = makePeople(testApp)
const path = '/api/v1/error_report_groups/'

let causes = 0
/** A cause of its own: letters only, as numbers do not count. */
const newCause = (): string =>
  `Cause${String(++causes).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
const fail = (cause: string, fields: object = {}) => make.report({ error_desc: cause, ...fields })
const groupOf = async ({ group }: { readonly group: number | null }) => (await call('GET', `${path}${group}/`)).json()
const patch = (id: number, body: object) => call('PATCH', `${path}${id}/`, body)
const later = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

describe('failures with one cause', () => {
  test('are one group, counted; a success is in none', async () => {
    const cause = newCause()
    const first = await fail(cause, { error_code: '17-Channel-Send-1763714400' })
    const second = await fail(cause, { error_code: '18-Channel-Send-1763714999' })
    const other = await fail(cause, { error_code: '18-Channel-Receive-1763714999' })
    const success = await fail(cause, { error_code: '19-Channel-Send-1', is_ok: true })
    expect(second.group).toBe(first.group)
    expect(other.group).not.toBe(first.group)
    expect(success.group).toBeNull()
    expect(await groupOf(first)).toMatchObject({
      state: 'open',
      title: cause,
      code_pattern: '#-Channel-Send-#',
      count: 2,
      open_count: 2,
      algorithm: 4,
    })
  })

  test('that come at once are all counted', async () => {
    const cause = newCause()
    const reports = await Promise.all(Array.from({ length: 20 }, () => fail(cause, { error_code: 'custom' })))
    expect(new Set(reports.map(({ group }) => group)).size).toBe(1)
    expect(await groupOf({ group: reports[0]?.group ?? 0 })).toMatchObject({ count: 20, open_count: 20 })
  })
})

describe('a group that somebody resolved', () => {
  const resolved = async () => {
    const cause = newCause()
    const report = await fail(cause, { error_code: 'custom' })
    const answer = await patch(report.group ?? 0, { state: 'resolved' })
    expect(answer.json()).toMatchObject({ state: 'resolved', resolved_date: clock.now().toISOString(), open_count: 1 })
    return { cause, report }
  }

  test.each([-1, 1])('is reopened by a new failure, whenever its object changed (%s s from then)', async (seconds) => {
    const { cause, report } = await resolved()
    await fail(cause, { error_code: 'custom', obj_modified_date: later(seconds) })
    expect(await groupOf(report)).toMatchObject({
      state: 'open',
      resolved_date: null,
      resolved_by: null,
      regressed_date: clock.now().toISOString(),
    })
  })

  test('is found among those that came back', async () => {
    const { cause, report } = await resolved()
    const found = async (regressed: boolean) =>
      (await call('GET', `${path}?q=${cause}&regressed=${regressed}`)).json<{ id: number }[]>().map(({ id }) => id)
    expect([await found(true), await found(false)]).toEqual([[], [report.group]])
    await fail(cause, { error_code: 'custom' })
    expect([await found(true), await found(false)]).toEqual([[report.group], []])
  })
})

describe('the same failure within ten minutes', () => {
  const send = (body: object) => call('POST', '/api/v1/error_reports/', body)
  const sent = async () => {
    const body = make.body({ error_desc: newCause(), error_code: 'custom' })
    return { body, report: (await send(body)).json<{ id: number; group: number }>() }
  }
  const statusOf = async (body: object) => (await send(body)).statusCode

  test('is another one after its group was resolved, which it opens again; the same once more is that one', async () => {
    const { body, report } = await sent()
    expect(await statusOf(body)).toBe(200)
    await patch(report.group, { state: 'resolved' })
    clock.advance(1_000)
    const again = await send(body)
    expect([again.statusCode, again.json().id === report.id, again.json().group]).toEqual([201, false, report.group])
    const opened = { state: 'open', count: 2, open_count: 2, regressed_date: clock.now().toISOString() }
    expect(await groupOf(report)).toMatchObject(opened)
    const repeated = await send(body)
    expect([repeated.statusCode, repeated.json().id]).toEqual([200, again.json().id])
    expect(await groupOf(report)).toMatchObject(opened)
  })

  test('is another one also when the group was opened by another failure before', async () => {
    const { body, report } = await sent()
    await patch(report.group, { state: 'resolved' })
    clock.advance(1_000)
    expect(await statusOf({ ...body, action_object_id: 4_711 })).toBe(201)
    clock.advance(1_000)
    expect([await statusOf(body), await statusOf(body)]).toEqual([201, 200])
    expect(await groupOf(report)).toMatchObject({ state: 'open', count: 3 })
  })

  test.each([
    ['ignored', { state: 'ignored' }],
    ['opened again by hand', { state: 'open' }],
  ])('is the same when its group was %s', async (_, state) => {
    const { body, report } = await sent()
    await patch(report.group, { state: 'resolved' })
    await patch(report.group, state)
    expect(await statusOf(body)).toBe(200)
  })

  test('is one more row when ten come at once after the group was resolved', async () => {
    const { body, report } = await sent()
    await patch(report.group, { state: 'resolved' })
    clock.advance(1_000)
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(body)))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 9 }, () => 200), 201])
    expect(await groupOf(report)).toMatchObject({ state: 'open', count: 2 })
  })
})

test('a group is resolved with its last open report, and open again with the next failure or when one is reopened', async () => {
  const cause = newCause()
  const report = await fail(cause, { error_code: 'custom', obj_modified_date: later(-1000) })
  await call('PATCH', `/api/v1/error_reports/${report.id}/`, { is_ok: true })
  expect(await groupOf(report)).toMatchObject({ state: 'resolved', open_count: 0, resolved_by: null })
  await call('PATCH', `/api/v1/error_reports/${report.id}/`, { is_ok: false })
  expect(await groupOf(report)).toMatchObject({ state: 'open', open_count: 1 })
  await call('PATCH', `/api/v1/error_reports/${report.id}/`, { is_ok: true })
  await fail(cause, { error_code: 'custom', obj_modified_date: later(-1000) })
  expect(await groupOf(report)).toMatchObject({ state: 'open', open_count: 1, count: 2 })
})

describe('a group', () => {
  test('that is ignored stays so with the next failure', async () => {
    const cause = newCause()
    const report = await fail(cause, { error_code: 'custom' })
    expect((await patch(report.group ?? 0, { state: 'ignored' })).json()).toMatchObject({ state: 'ignored' })
    await fail(cause, { error_code: 'custom', obj_modified_date: later(10) })
    expect(await groupOf(report)).toMatchObject({ state: 'ignored', count: 2, regressed_date: null })
    const listed = await call('GET', `${path}?state=ignored&q=${cause}`)
    expect(listed.json()).toMatchObject([{ id: report.group }])
  })

  test.each([
    [{ state: 'gone' }, 'state'],
    [{ assignee: 999_999 }, 'assignee'],
    [{ colour: 1 }, 'colour'],
  ])('is not changed to %j', async (body, field) => {
    const report = await fail(newCause(), { error_code: 'custom' })
    const answer = await patch(report.group ?? 0, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toHaveProperty(field)
  })
})

test('a group has somebody who looks at it, and a note; read-only fields are ignored', async () => {
  const { id: assignee } = await people.person({ is_staff: true })
  const report = await fail(newCause(), { error_code: 'custom' })
  const id = report.group ?? 0
  expect((await patch(id, { assignee, note: 'Ask them.', count: 99 })).json()).toMatchObject({
    assignee,
    note: 'Ask them.',
    count: 1,
    state: 'open',
  })
  expect((await call('GET', `${path}?assignee=${assignee}`)).json()).toHaveLength(1)
  expect((await patch(id, { assignee: null })).json().assignee).toBeNull()
})

test('the list is filtered and ordered', async () => {
  const channel = await make.channel()
  const cause = newCause()
  const one = await make.ofChannel(channel, { error_desc: cause, error_code: 'a' })
  const two = await make.ofChannel(channel, { error_desc: cause, error_code: 'b' })
  await make.ofChannel(channel, { error_desc: cause, error_code: 'b' })
  const ids = async (query: string): Promise<number[]> =>
    (await call('GET', `${path}?channel=${channel}&${query}`)).json<{ id: number }[]>().map(({ id }) => id)
  expect(await ids('ordering=-count')).toEqual([two.group, one.group])
  expect(await ids('ordering=open_count')).toEqual([one.group, two.group])
  expect(await ids('state=resolved')).toEqual([])
  expect(await ids(`q=${cause.toUpperCase()}&limit=1&ordering=id`)).toEqual([one.group])
  expect((await call('GET', `${path}?channel=${channel}`)).headers['x-total-count']).toBe('2')
  expect((await call('GET', `${path}?ordering=title`)).statusCode).toBe(400)
})

test('a group shows how often it happened on each of the last days', async () => {
  const cause = newCause()
  const first = await fail(cause, { error_code: 'custom' })
  clock.advance(3 * dayMs)
  await fail(cause, { error_code: 'custom', obj_modified_date: later(1) })
  await fail(cause, { error_code: 'custom', obj_modified_date: later(2) })
  const other = await fail(newCause(), { error_code: 'custom' })
  const zeros = (days: number) => Array.from({ length: days }, () => 0)
  const expected = [...zeros(10), 1, 0, 0, 2]
  expect(await groupOf(first)).toMatchObject({ count: 3, activity: expected })
  const listed = (await call('GET', `${path}?limit=2`)).json<{ id: number; activity: number[] }[]>()
  expect(new Map(listed.map(({ id, activity }) => [id, activity]))).toEqual(
    new Map([
      [first.group, expected],
      [other.group, [...zeros(13), 1]],
    ]),
  )
  expect((await patch(first.group ?? 0, { note: 'Seen.' })).json().activity).toEqual(expected)
  const occurrences = async (query = '') => (await call('GET', `${path}${first.group}/occurrences/${query}`)).json()
  const { days } = await occurrences('?days=90')
  expect(days).toHaveLength(90)
  expect(days.slice(-4).map(({ count }: { count: number }) => count)).toEqual([1, 0, 0, 2])
  expect(days.at(-1).date).toBe(clock.now().toISOString().slice(0, 10))
  expect((await occurrences()).days).toHaveLength(14)
  clock.advance(13 * dayMs)
  expect((await groupOf(first)).activity).toEqual([2, ...zeros(13)])
  expect((await call('GET', `${path}${first.group}/occurrences/?days=91`)).statusCode).toBe(400)
  expect((await call('GET', `${path}999999/occurrences/`)).statusCode).toBe(404)
})

describe('all open reports of a group', () => {
  const three = async () => {
    const cause = newCause()
    const reports = [1, 2, 3].map(() => ({ error_code: 'custom' }))
    const made = []
    for (const fields of reports) made.push(await fail(cause, fields))
    return { id: made[0]?.group ?? 0, made }
  }

  test('are resolved, with the group', async () => {
    const { id, made } = await three()
    expect((await call('POST', `${path}${id}/resolve_all/`)).json()).toEqual({
      status: 'done',
      total: 3,
      resolved: 3,
      undo: expect.any(Number),
    })
    const group = await groupOf({ group: id })
    expect(group).toMatchObject({ open_count: 0, state: 'resolved', count: 3 })
    expect(group.resolved_by).not.toBeNull()
    expect((await call('GET', `/api/v1/error_reports/${made[0]?.id}`)).json()).toMatchObject({
      is_ok: true,
      resolved_how: 'resolved_all',
    })
  })

  test('of others cannot be retried here, and are counted as such', async () => {
    const { id } = await three()
    expect((await call('POST', `${path}${id}/retry_all/`)).json()).toEqual({
      status: 'done',
      total: 3,
      started: 0,
      not_retryable: 3,
      not_allowed: 0,
    })
  })
})

test.each(['GET', 'PATCH'] as const)('%s of a group that is not there is 404', async (method) => {
  expect((await call(method, `${path}999999/`, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404)
})
test('groups are for staff', async () => {
  const headers = await people.authorization(await people.person())
  expect((await call('GET', path, undefined, headers)).statusCode).toBe(403)
  expect((await call('POST', `${path}1/resolve_all/`, undefined, headers)).statusCode).toBe(403)
})
