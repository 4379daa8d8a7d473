import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeOutsideTokens } from './outside-tokens.ts'

const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
const next = await generateKeyPair('ES256', { extractable: true })
const audience = 'waybill-api'
const clock = makeFakeClock()

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** An identity provider on a real port. `answer` may replace a document; `asked` counts the requests. */
const makeProvider = async (
  answer: (path: string, issuer: string) => { status?: number; body: string } | undefined = () => undefined,
) => {
  const asked: string[] = []
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }]
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const issuer = issuerOf(server)
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys },
    }
    const { status = 200, body } = answer(path, issuer) ?? { body: JSON.stringify(documents[path]) }
    response.writeHead(status, { 'content-type': 'application/json', location: '/keys' }).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const issuer = issuerOf(server)
  return { issuer, asked, warnings, server, keys, tokens: makeOutsideTokens({ issuer, audience, clock, log }) }
}
const issuerOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

interface Signing {
  readonly alg?: string
  readonly kid?: string
  readonly key?: CryptoKey | Uint8Array
  readonly claims?: JWTPayload
}
const seconds = Math.floor(clock.now().getTime() / 1000)
const signed = (issuer: string, { alg = 'RS256', kid = 'one', key = privateKey, claims = {} }: Signing = {}) =>
  new SignJWT({
    iss: issuer,
    aud: audience,
    sub: 'u1',
    email: 'Buyer@Example.com',
    email_verified: true,
    exp: seconds + 300,
    ...claims,
  })
    .setProtectedHeader({ alg, kid })
    .sign(key)

test('a token of the provider says who has the verified e-mail', async () => {
  const { issuer, tokens } = await makeProvider()
  expect(await tokens.verify(await signed(issuer))).toEqual({
    email: 'Buyer@Example.com',
    expiresAt: new Date((seconds + 300) * 1000),
  })
})

describe('a token is refused', () => {
  const changes: [string, JWTPayload][] = [
    ['for another audience', { aud: 'another-api' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['past its time', { exp: seconds - 60 }],
    ['before its time', { nbf: seconds + 60 }],
    ['with an e-mail that is not verified', { email_verified: false }],
    ['with an e-mail that is "verified"', { email_verified: 'true' }],
    ['without an e-mail', { email: undefined }],
    ['with an e-mail that is no text', { email: ['buyer@example.com'] }],
    ['with a NUL in the e-mail', { email: 'a\u0000b@example.com' }],
  ]
  test.each(changes)('%s', async (_, claims) => {
    const { issuer, tokens } = await makeProvider()
    expect(await tokens.verify(await signed(issuer, { claims }))).toBeUndefined()
  })
  test('signed with a key that is not the provider’s', async () => {
    const { issuer, tokens } = await makeProvider()
    expect(await tokens.verify(await signed(issuer, { alg: 'ES256', key: next.privateKey }))).toBeUndefined()
  })
  test('signed with the public key as a shared secret', async () => {
    const { issuer, tokens, warnings } = await makeProvider()
    const secret = new TextEncoder().encode(await exportSPKI(publicKey))
    expect(await tokens.verify(await signed(issuer, { alg: 'HS256', key: secret }))).toBeUndefined()
    expect(warnings).toEqual([])
  })
})

test('the provider is asked once for many tokens', async () => {
  const { issuer, tokens, asked } = await makeProvider()
  const jwt = await signed(issuer)
  const answers = await Promise.all([1, 2, 3, 4].map(() => tokens.verify(jwt)))
  expect(answers.every((claims) => claims !== undefined)).toBe(true)
  expect(asked).toEqual(['/.well-known/openid-configuration', '/keys'])
})

describe('a provider that cannot be asked makes every token invalid, with a warning', () => {
  const faults: [string, (path: string, issuer: string) => { status?: number; body: string } | undefined][] = [
    ['it fails', () => ({ status: 503, body: '' })],
    ['it redirects', () => ({ status: 302, body: '' })],
    ['it does not speak JSON', () => ({ body: '<html>' })],
    ['it answers null', () => ({ body: 'null' })],
    [
      'it calls itself something else',
      (_, issuer) => ({ body: JSON.stringify({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` }) }),
    ],
    ['it names no keys', (_, issuer) => ({ body: JSON.stringify({ issuer }) })],
    ['its keys are missing', (path) => (path === '/keys' ? { status: 404, body: '' } : undefined)],
    ['its keys are no keys', (path) => (path === '/keys' ? { body: '{"keys":1}' } : undefined)],
  ]
  test.each(faults)('%s', async (_, answer) => {
    const { issuer, tokens, warnings } = await makeProvider(answer)
    expect(await tokens.verify(await signed(issuer))).toBeUndefined()
    expect(warnings.join('')).toContain('oidc.provider_unavailable')
  })
})

test('a provider that failed is left alone for ten seconds, and then asked again', async () => {
  let down = true
  const now = makeFakeClock()
  const provider = await makeProvider(() => (down ? { status: 500, body: '' } : undefined))
  const tokens = makeOutsideTokens({ issuer: provider.issuer, audience, clock: now, log: pino({ level: 'silent' }) })
  const jwt = await signed(provider.issuer)
  await tokens.verify(jwt)
  down = false
  expect(await tokens.verify(jwt)).toBeUndefined()
  expect(provider.asked.length).toBe(1)
  now.advance(10_000)
  expect(await tokens.verify(jwt)).toBeDefined()
})

test('keys that are known go on working when the provider is gone', async () => {
  const { issuer, tokens, server } = await makeProvider()
  const jwt = await signed(issuer)
  expect(await tokens.verify(jwt)).toBeDefined()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(await tokens.verify(await signed(issuer, { kid: 'unknown' }))).toBeUndefined()
  expect(await tokens.verify(jwt)).toBeDefined()
})
