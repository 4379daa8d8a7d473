import { expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { call } = app
const { owner, mainBuyer, branch, ask, admin, mine, must, buyer, division } = await makeQuotationWorld(app)

type Caller = Pick<typeof owner, 'call'>
const see = (caller: Caller, id: number, revision: unknown) =>
  caller.call('POST', `/api/v1/my-quotations/${id}/seen/`, { revision })
const seenOf = async (id: number) => (await must(call('GET', `/api/v1/quotations/${id}/`))).seen

/** With the terms of its submission, and those of an offer. */
const offered = async () => {
  const made = await ask(owner, branch)
  await mine(mainBuyer, made.id, 'approve-pending-request')
  return admin(made.id, 'send-approval-request')
}

test('both sides are told which terms the owner has seen, and when they first did', async () => {
  const { id, revision, version, seen } = await offered()
  expect([revision, seen]).toEqual([2, null])
  const at = clock.now().toISOString()
  const answer = await see(owner, id, 2)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await seenOf(id)).toEqual({ revision: 2, at })
  clock.advance(60_000)
  await see(owner, id, 2)
  const mineNow = await must(owner.call('GET', `/api/v1/my-quotations/${id}/`))
  expect(mineNow).toMatchObject({ seen: { revision: 2, at }, version })
  expect(Object.keys(mineNow).at(-1)).toBe('seen')
})

test('an older revision changes nothing, a newer one does', async () => {
  const { id } = await offered()
  await see(owner, id, 2)
  const before = await seenOf(id)
  clock.advance(60_000)
  expect((await see(owner, id, 1)).statusCode).toBe(204)
  expect(await seenOf(id)).toEqual(before)
  await admin(id, 'set-as-draft')
  await must(call('POST', `/api/v1/quotations/${id}/discounts/`, { discount_type: 'fixed', value: 1 }))
  await admin(id, 'send-approval-request')
  expect(await seenOf(id)).toEqual(before)
  await see(owner, id, 3)
  expect(await seenOf(id)).toEqual({ revision: 3, at: clock.now().toISOString() })
})

test('only the owner says so, and only of terms that there are', async () => {
  const { id } = await offered()
  expect((await see(mainBuyer, id, 1)).statusCode).toBe(403)
  expect((await see(await buyer(await division()), id, 1)).statusCode).toBe(404)
  expect((await see(owner, id, 3)).json()).toMatchObject({ revision: ['The newest is 2.'] })
  for (const wrong of [0, 1.5, 'two', null, undefined]) expect((await see(owner, id, wrong)).statusCode).toBe(400)
  expect(await seenOf(id)).toBeNull()
})
