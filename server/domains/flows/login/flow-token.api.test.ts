import { describe, expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'

const { app, superuser } = await makeTestApp()

/** A token of somebody who may do everything, so that nothing but the token can be what is refused. */
const answer = await app.inject({
  method: 'POST',
  url: '/api/nifi/login',
  payload: new URLSearchParams({ username: superuser.email, password: superuser.password }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const token = answer.body

interface Operation {
  readonly security?: readonly object[]
}
const document = (await app.inject('/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
/** Every operation that needs a credential: method, path. */
const guarded = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { security }]) => security?.length !== 0)
    .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')] as const),
)
const ofFlows = guarded.filter(([, path]) => path.startsWith('/api/nifi/'))
const ofOthers = guarded.filter((operation) => !ofFlows.includes(operation))
const statusOf = async (method: string, url: string, headers: Record<string, string>) =>
  (await app.inject({ method, url, headers })).statusCode

describe('a token of the flow login', () => {
  test('is refused by every operation of the others', async () => {
    expect(ofOthers.length).toBeGreaterThan(40)
    const accepted = []
    for (const [method, path] of ofOthers) {
      for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-access-token': token }]) {
        const status = await statusOf(method, path, headers)
        if (status !== 401) accepted.push(`${method} ${path} ${status}`)
      }
    }
    expect(accepted).toEqual([])
  })

  test('is accepted by every operation of the flows', async () => {
    const refused = []
    for (const [method, path] of ofFlows) {
      const status = await statusOf(method, path, { authorization: token })
      if (status === 401 || status === 403) refused.push(`${method} ${path} ${status}`)
    }
    expect(refused).toEqual([])
  })
})
