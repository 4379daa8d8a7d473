import { expect, test } from 'vitest'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeLetTimePass } from '../time/let-time-pass.ts'

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { db } = app.database
const { ask, main, mainBuyer, staff, must } = await makeQuotationWorld(app)
const people = makePeople(app)

type Caller = Pick<typeof staff, 'call'>
/** Another person of the back office. */
const colleague = async () => {
  const person = await people.person({ is_staff: true })
  const credential = await people.authorization(person)
  const call: Caller['call'] = (method, url, body, headers = {}) =>
    app.call(method, url, body, { ...credential, ...headers })
  return { ...person, call }
}
const path = (id: number) => `/api/v1/quotations/${id}/viewers/`
const look = async (who: Caller, id: number) => (await must(who.call('PUT', path(id)))).results
const leave = (who: Caller, id: number) => who.call('DELETE', path(id))
const { id } = await ask(mainBuyer, main)

test('whoever looks hears of the others, until these go', async () => {
  const [one, two] = [await colleague(), await colleague()]
  expect(await look(one, id)).toEqual([])
  const since = clock.now().toISOString()
  clock.advance(20_000)
  const { email } = one
  expect(await look(two, id)).toEqual([{ id: one.id, first_name: '', last_name: '', email, since }])
  // Who says it again looks since the same time.
  await look(one, id)
  expect(await look(two, id)).toMatchObject([{ id: one.id, since }])
  expect((await leave(one, id)).statusCode).toBe(204)
  expect((await leave(one, id)).statusCode).toBe(204)
  expect(await look(two, id)).toEqual([])
})

test('who says nothing for 45 seconds has gone, and looks anew when they come back', async () => {
  const [one, two] = [await colleague(), await colleague()]
  const other = await ask(mainBuyer, main)
  await look(one, other.id)
  clock.advance(45_000)
  expect(await look(two, other.id)).toMatchObject([{ id: one.id }])
  clock.advance(1_000)
  expect(await look(two, other.id)).toEqual([])
  await look(one, other.id)
  expect(await look(two, other.id)).toMatchObject([{ id: one.id, since: clock.now().toISOString() }])
})

test('what has gone is removed, who looks stays', async () => {
  const [one, two] = [await colleague(), await colleague()]
  await look(one, id)
  clock.advance(46_000)
  await look(two, id)
  const outbox = makeOutbox({ clock, wake: () => undefined })
  const letTimePass = makeLetTimePass({ db, clock, outbox, notify: async () => undefined })
  await letTimePass(new AbortController().signal)
  const left = await db.selectFrom('quotationViewers').select('userId').execute()
  expect(left).toEqual([{ userId: two.id }])
})

test('many who come at once all hear of each other in the end', async () => {
  const { id: busy } = await ask(mainBuyer, main)
  const all = await Promise.all([1, 2, 3, 4].map(colleague))
  await Promise.all([...all, ...all].map((who) => look(who, busy)))
  for (const who of all) expect(await look(who, busy)).toHaveLength(3)
})

test('is for the back office, of quotations that there are', async () => {
  expect((await mainBuyer.call('PUT', path(id))).statusCode).toBe(403)
  for (const method of ['PUT', 'DELETE'] as const)
    expect((await staff.call(method, path(987_654))).statusCode).toBe(404)
})
