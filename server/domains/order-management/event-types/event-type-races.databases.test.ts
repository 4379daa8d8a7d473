import { beforeEach, expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const { db } = database
const name = 'crm.customer.updated'
const type = { name, description: 'A customer changes.', schema: { required: ['id'] }, example: { id: 1 } }
let last = 0
const hook = () =>
  call('POST', '/whisperer/hooks/', { event_type: name, target_url: `http://127.0.0.1:4109/${(last += 1)}` })
const raise = () => call('POST', '/api/v1/events/', { id: `e${(last += 1)}`, type: name, data: { id: 7 } })
const remove = () => call('DELETE', `/api/v1/event_types/${name}/`)
const statusOf = async (answer: ReturnType<typeof call>) => (await answer).statusCode

beforeEach(async () => {
  for (const { id } of (await call('GET', '/whisperer/hooks/')).json<{ id: number }[]>())
    await call('DELETE', `/whisperer/hooks/${id}/`)
  await db.deleteFrom('eventTypes').execute()
  await db.deleteFrom('events').execute()
})

test('a hook and the deletion of the type that it names: either there is no hook, or the type stays', async () => {
  for (let round = 0; round < 12; round += 1) {
    await call('POST', '/api/v1/event_types/', type)
    const requests = [statusOf(hook()), statusOf(remove())]
    const [made, removed] =
      round % 2 === 0 ? await Promise.all(requests) : (await Promise.all(requests.toReversed())).toReversed()
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual([made, removed])
    for (const { id } of (await call('GET', '/whisperer/hooks/')).json<{ id: number }[]>())
      await call('DELETE', `/whisperer/hooks/${id}/`)
    await remove()
  }
})

test('what is raised while its type is deleted is stored with 202, and refused with 400 from the answer on', async () => {
  await call('POST', '/api/v1/event_types/', type)
  const raising = Promise.all(Array.from({ length: 10 }, () => statusOf(raise())))
  const removing = statusOf(remove())
  const statuses = [...(await raising), await removing]
  expect(statuses.pop()).toBe(204)
  expect(statuses.filter((status) => status !== 202 && status !== 400)).toEqual([])
  const stored = await db.selectFrom('events').select('id').execute()
  expect(stored).toHaveLength(statuses.filter((status) => status === 202).length)
  expect(await statusOf(raise())).toBe(400)
})

test('a type that two make at once is made once', async () => {
  const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(call('POST', '/api/v1/event_types/', type))))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400])
})
