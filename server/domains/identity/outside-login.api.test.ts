import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { publicKey, privateKey } = await generateKeyPair('ES256')
const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }]
let down = false
const provider = createServer((request, response) => {
  if (down) return response.writeHead(500).end()
  const document = request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
})
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
afterAll(() => void provider.close())

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock, environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'waybill-api' } })
const { app, call } = test_
const { person } = makePeople(test_)
beforeEach(() => clock.advance(60_000))

const tokenFor = (email: string, claims: JWTPayload = {}) =>
  new SignJWT({
    iss: issuer,
    aud: 'waybill-api',
    email,
    email_verified: true,
    exp: Math.floor(clock.now().getTime() / 1000) + 300,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(privateKey)
const me = (headers: Record<string, string>) => app.inject({ url: '/api/v1/auth/me/', headers })
const statusOf = async (jwt: string) => (await me({ authorization: `Bearer ${jwt}` })).statusCode

test('a provider that is down makes its tokens invalid, and nothing else', async () => {
  const user = await person()
  down = true
  expect(await statusOf(await tokenFor(user.email))).toBe(401)
  expect((await me({ authorization: test_.superuser.authorization })).statusCode).toBe(200)
  down = false
  clock.advance(10_000)
  expect(await statusOf(await tokenFor(user.email))).toBe(200)
})

test('a token of the provider is the local person with the verified e-mail, in every place', async () => {
  const user = await person({ is_staff: true })
  const jwt = await tokenFor(user.email.toUpperCase())
  for (const headers of [{ authorization: `Bearer ${jwt}` }, { authorization: jwt }, { 'x-access-token': jwt }]) {
    const answer = await me(headers)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: user.id, roles: ['staff'], scopes: null }),
    ])
  }
})

test('a person who is unknown or inactive here stays outside', async () => {
  const user = await person({ is_active: false })
  expect(await statusOf(await tokenFor(user.email))).toBe(401)
  expect(await statusOf(await tokenFor('stranger@example.com'))).toBe(401)
  expect(await statusOf(await tokenFor('x'.repeat(300)))).toBe(401)
})

test('a user name that looks like the e-mail does not count', async () => {
  await person({ username: 'boss@elsewhere.example' })
  expect(await statusOf(await tokenFor('boss@elsewhere.example'))).toBe(401)
})

test('an e-mail that is not verified, another audience and another issuer are refused', async () => {
  const { email } = await person()
  expect(await statusOf(await tokenFor(email, { email_verified: false }))).toBe(401)
  expect(await statusOf(await tokenFor(email, { aud: 'another' }))).toBe(401)
  expect(await statusOf(await tokenFor(email, { iss: 'https://elsewhere.example' }))).toBe(401)
  expect(await statusOf(await tokenFor(email, { iss: 'waybill', aud: 'waybill', sub: '1', sid: '1', jti: 'x' }))).toBe(
    401,
  )
})

test('logging out refuses this token from then on, and no other', async () => {
  const { email } = await person()
  const [one, other] = [await tokenFor(email, { jti: '1' }), await tokenFor(email, { jti: '2' })]
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/logout/',
    headers: { authorization: `Bearer ${one}` },
  })
  expect(answer.statusCode).toBe(204)
  expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200])
})

test('whoever comes with a token of the provider can make API keys', async () => {
  const { email } = await person()
  const answer = await call(
    'POST',
    '/api/v1/auth/api-keys/',
    { name: 'x' },
    { authorization: `Bearer ${await tokenFor(email)}` },
  )
  expect(answer.statusCode).toBe(201)
})
