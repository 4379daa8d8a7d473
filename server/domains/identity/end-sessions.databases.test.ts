import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const test_ = await makeTestApp()
const { app } = test_
const { person, authorization } = makePeople(test_)
type Headers = Record<string, string>
interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

const mine = '/api/v1/auth/sessions/'
const end = (headers: Headers, url = mine) => app.inject({ method: 'DELETE', url, headers })
const statusOf = async (headers: Headers) => (await app.inject({ url: '/api/v1/auth/me/', headers })).statusCode
const bearer = ({ access_token: token }: Pair): Headers => ({ authorization: `Bearer ${token}` })
const token = (payload: object) => app.inject({ method: 'POST', url: '/api/v1/auth/token/', payload })
const refresh = ({ refresh_token: refreshToken }: Pair) => token({ refresh_token: refreshToken })

test('a session that is ended while it is refreshed leaves nothing that is good', async () => {
  const user = await person()
  const key = await authorization(user)
  for (let round = 0; round < 12; round += 1) {
    const first = (await token({ username: user.email, password: user.password })).json<Pair>()
    const [{ id } = { id: 0 }] = (await app.inject({ url: mine, headers: key })).json<{ id: number }[]>()
    const ending = () => end(key, `${mine}${id}/`)
    const refreshing = () => refresh(first)
    const [one, other] = await Promise.all(round % 2 === 0 ? [ending(), refreshing()] : [refreshing(), ending()])
    const [ended, refreshed] = round % 2 === 0 ? [one, other] : [other, one]
    expect(ended.statusCode).toBe(204)
    expect([200, 401]).toContain(refreshed.statusCode)
    const pairs = refreshed.statusCode === 200 ? [first, refreshed.json<Pair>()] : [first]
    for (const pair of pairs) {
      expect(await statusOf(bearer(pair))).toBe(401)
      expect((await refresh(pair)).statusCode).toBe(401)
    }
  }
  expect((await app.inject({ url: mine, headers: key })).json()).toHaveLength(1)
})

test('of sessions that end all others at once, one is left', async () => {
  const user = await person()
  const all = await Promise.all(Array.from({ length: 5 }, () => authorization(user)))
  const answers = await Promise.all(all.map(async (headers) => (await end(headers)).statusCode))
  expect(answers.toSorted((a, b) => a - b)).toEqual([204, 401, 401, 401, 401])
  const alive = await Promise.all(all.map(statusOf))
  expect(alive).toEqual(answers.map((status) => (status === 204 ? 200 : 401)))
})
