import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { makePeople, type TestPerson } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// Requests that arrive together. On PostgreSQL their transactions overlap; on the embedded database their checks do.

const testApp = await makeTestApp()
const { call } = testApp
const { person, authorization } = makePeople(testApp)

type Someone = TestPerson & { readonly headers: { readonly authorization: string } }
const someone = async (): Promise<Someone> => {
  const made = await person()
  return { ...made, headers: await authorization(made) }
}
const [first, second, third] = [await someone(), await someone(), await someone()]
const everybody = [first, second, third]

const roles = ['owner', 'admin', 'viewer'] as const
/** A new organization. @param members its members besides the first person, who owns it. */
const makeOrganization = async (members: readonly { who: Someone; role: string }[]): Promise<string> => {
  const made = await call('POST', '/api/v1/organizations', { name: 'Race' }, first.headers)
  const url = `/api/v1/organizations/${made.json<{ _id: string }>()._id}`
  for (const { who, role } of members) await call('POST', `${url}/members`, { email: who.email, role }, first.headers)
  return url
}
const ownersOf = async (url: string): Promise<number> => {
  const list = (await call('GET', `${url}/members`)).json<{ role: string }[]>()
  return list.filter(({ role }) => role === 'owner').length
}
const demote = (url: string, by: Someone, who: Someone) =>
  call('PATCH', `${url}/members/${who.id}`, { role: 'viewer' }, by.headers)
const remove = (url: string, by: Someone, who: Someone) =>
  call('DELETE', `${url}/members/${who.id}`, undefined, by.headers)

/** In ascending order: which of them came first is open. */
const statusesOf = (answers: readonly { statusCode: number }[]): number[] =>
  answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)

const times = Array.from({ length: 8 }, (_, index) => index + 1)

describe('two owners at once', () => {
  test.each(times)('who demote each other: one does, the other is an owner no more (%i)', async () => {
    const url = await makeOrganization([{ who: second, role: 'owner' }])
    const answers = await Promise.all([demote(url, first, second), demote(url, second, first)])
    expect(statusesOf(answers)).toEqual([200, 403])
    expect(await ownersOf(url)).toBe(1)
  })

  test.each(times)('who remove each other: one does, the other is a member no more (%i)', async () => {
    const url = await makeOrganization([{ who: second, role: 'owner' }])
    const answers = await Promise.all([remove(url, first, second), remove(url, second, first)])
    expect(statusesOf(answers)).toEqual([204, 403])
    expect(await ownersOf(url)).toBe(1)
  })

  test.each(times)('who leave: one stays (%i)', async () => {
    const url = await makeOrganization([{ who: second, role: 'owner' }])
    const answers = await Promise.all([remove(url, first, first), remove(url, second, second)])
    expect(statusesOf(answers)).toEqual([204, 400])
    expect(await ownersOf(url)).toBe(1)
  })
})

test('whatever members do at once, an owner is left and nothing breaks', async () => {
  const index = fc.nat({ max: everybody.length - 1 })
  const action = fc.record({ by: index, on: index, role: fc.constantFrom(...roles, undefined) })
  const story = fc.record({
    roles: fc.tuple(fc.constantFrom(...roles), fc.constantFrom(...roles)),
    actions: fc.array(action, { minLength: 2, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(story, async ({ roles: [secondRole, thirdRole], actions }) => {
      const url = await makeOrganization([
        { who: second, role: secondRole },
        { who: third, role: thirdRole },
      ])
      const answers = await Promise.all(
        actions.map(({ by, on, role }) => {
          const [caller, member] = [everybody[by] ?? first, everybody[on] ?? first]
          if (role === undefined) return remove(url, caller, member)
          return call('PATCH', `${url}/members/${member.id}`, { role }, caller.headers)
        }),
      )
      for (const { statusCode } of answers) expect([200, 204, 400, 403, 404]).toContain(statusCode)
      expect(await ownersOf(url)).toBeGreaterThanOrEqual(1)
    }),
    tries(10, 25),
  )
})

test.each(times)('an organization that is deleted while members are added leaves nothing behind (%i)', async () => {
  const url = await makeOrganization([])
  const [deleted, ...added] = await Promise.all([
    call('DELETE', url, undefined, first.headers),
    ...[second, third].map(({ email }) => call('POST', `${url}/members`, { email, role: 'owner' }, first.headers)),
    call('PATCH', url, { name: 'Renamed' }, first.headers),
  ])
  expect(deleted?.statusCode).toBe(204)
  for (const { statusCode } of added) expect([200, 201, 403]).toContain(statusCode)
  for (const { headers } of everybody) expect((await call('GET', url, undefined, headers)).statusCode).toBe(403)
  expect((await call('GET', `${url}/members`)).statusCode).toBe(404)
})
