import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { mainBuyer, main, admin, ask, must } = world
const { id: seller } = await makePeople(app).person({ is_staff: true })
const patch = (id: number, body: object) => call('PATCH', `/api/v1/quotations/${id}/`, body)

test('who works on it is said by the id, or sent back as it was read', async () => {
  const { id } = await ask(mainBuyer, main)
  await admin(id, 'set-as-draft')
  const read = await must(patch(id, { assignee: seller }))
  expect(read.assignee).toMatchObject({ id: seller, email: expect.any(String) })
  const after = await must(patch(id, read))
  expect(after).toEqual({ ...read, version: read.version + 1, modified_at: after.modified_at })
  expect((await must(patch(id, { assignee: null }))).assignee).toBeNull()
  expect((await must(patch(id, { assignee: { id: seller } }))).assignee).toMatchObject({ id: seller })
})

test.each([
  [{ id: mainBuyer.id }, 'assignee'],
  [mainBuyer.id, 'assignee'],
  [{}, 'assignee'],
  [{ id: 'x' }, 'assignee'],
  [{ id: seller, colour: 'red' }, 'assignee'],
  [[seller], 'assignee'],
  ['somebody', 'assignee'],
])('%j is nobody of the back office', async (assignee, field) => {
  const { id } = await ask(mainBuyer, main)
  const { statusCode, body } = await patch(id, { assignee })
  expect([statusCode, Object.keys(JSON.parse(body)).map((name) => name.replace(/\..*/, ''))]).toEqual([400, [field]])
})
