import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { accessTokenSeconds, claimedIssuer, makeAccessTokens } from './access-tokens.ts'

const key = Buffer.alloc(32, 7)
const clock = makeFakeClock()
const tokens = makeAccessTokens({ key, clock })
const claims = { userId: 5, sessionId: 9 }

const secondsNow = () => Math.floor(clock.now().getTime() / 1000)

/** A token like ours, except for what `change` does to it. */
const forged = (change: (jwt: SignJWT) => SignJWT = (jwt) => jwt, { alg = 'HS256', secret = key, also = {} } = {}) => {
  const seconds = secondsNow()
  const jwt = new SignJWT({ sid: '9', ...also })
    .setProtectedHeader({ alg })
    .setSubject('5')
    .setIssuer('waybill')
    .setAudience('waybill')
    .setJti('x')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 60)
  return change(jwt).sign(secret)
}

test('a token says whose it is, and of which session', async () => {
  const jwt = await tokens.sign(claims)
  expect(await tokens.verify(jwt)).toEqual(claims)
  expect(claimedIssuer(jwt)).toBe('waybill')
  expect(await tokens.verify(await forged())).toEqual(claims)
})

test('a token of an earlier key is good as long as that key is named, and new ones are signed with the present one', async () => {
  const present = Buffer.alloc(32, 8)
  const changed = makeAccessTokens({ key: present, earlierKeys: [Buffer.alloc(32, 9), key], clock })
  expect(await changed.verify(await tokens.sign(claims))).toEqual(claims)
  expect(await tokens.verify(await changed.sign(claims))).toBeUndefined()
  expect(await makeAccessTokens({ key: present, clock }).verify(await changed.sign(claims))).toEqual(claims)
  expect(await makeAccessTokens({ key: present, clock }).verify(await tokens.sign(claims))).toBeUndefined()
})

test('a token ends after fifteen minutes', async () => {
  const now = makeFakeClock()
  const aging = makeAccessTokens({ key, clock: now })
  const jwt = await aging.sign(claims)
  now.advance((accessTokenSeconds - 1) * 1000)
  expect(await aging.verify(jwt)).toEqual(claims)
  now.advance(1000)
  expect(await aging.verify(jwt)).toBeUndefined()
})

describe('a token of one surface', () => {
  const own = { userId: 5, credentialsVersion: 3 }

  test('says whose it is and of which version of their credentials, there alone', async () => {
    const jwt = await tokens.signFor('flows', own)
    expect(await tokens.verifyFor('flows', jwt)).toEqual(own)
    expect(await tokens.verify(jwt)).toBeUndefined()
    expect(await tokens.verifyFor('flows', await tokens.sign(claims))).toBeUndefined()
  })

  test('is told from others by its audience, whatever else it says', async () => {
    const both = { also: { ver: 3 } }
    const here = await forged((jwt) => jwt.setAudience('waybill:flows'), both)
    expect([await tokens.verifyFor('flows', here), await tokens.verify(here)]).toEqual([own, undefined])
    const elsewhere = await forged(undefined, both)
    expect([await tokens.verifyFor('flows', elsewhere), await tokens.verify(elsewhere)]).toEqual([undefined, claims])
  })

  test('without that version is none', async () => {
    expect(await tokens.verifyFor('flows', await forged((jwt) => jwt.setAudience('waybill:flows')))).toBeUndefined()
  })

  test('ends after fifteen minutes, and is good with the key before', async () => {
    const now = makeFakeClock()
    const aging = makeAccessTokens({ key: Buffer.alloc(32, 8), earlierKeys: [key], clock: now })
    const jwt = await makeAccessTokens({ key, clock: now }).signFor('flows', own)
    now.advance((accessTokenSeconds - 1) * 1000)
    expect(await aging.verifyFor('flows', jwt)).toEqual(own)
    now.advance(1000)
    expect(await aging.verifyFor('flows', jwt)).toBeUndefined()
    expect(
      await makeAccessTokens({ key: Buffer.alloc(32, 8), clock }).verifyFor(
        'flows',
        await tokens.signFor('flows', own),
      ),
    ).toBeUndefined()
  })
})

describe('what is not exactly ours is refused', () => {
  const jwts: [string, () => Promise<string> | string][] = [
    ['another key', () => forged(undefined, { secret: Buffer.alloc(32, 8) })],
    [
      'no signature',
      () => new UnsecuredJWT({ sid: '9' }).setSubject('5').setIssuer('waybill').setAudience('waybill').encode(),
    ],
    ['another audience', () => forged((jwt) => jwt.setAudience('waybill:flows'))],
    ['another issuer', () => forged((jwt) => jwt.setIssuer('elsewhere'))],
    ['past its end', () => forged((jwt) => jwt.setExpirationTime(secondsNow() - 1))],
    ['not valid yet', () => forged((jwt) => jwt.setNotBefore(secondsNow() + 60))],
    [
      'a changed payload',
      async () => (await forged()).replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"1"}').toString('base64url')}.`),
    ],
    ['no JWT', () => 'a.b.c'],
    ['nothing', () => ''],
  ]
  test.each(jwts)('%s', async (_, make) => {
    expect(await tokens.verify(await make())).toBeUndefined()
  })
  test('another algorithm, even with the right key', async () => {
    const secret = Buffer.alloc(64, 7)
    const both = makeAccessTokens({ key: secret, clock })
    expect(await both.verify(await forged(undefined, { secret }))).toEqual(claims)
    expect(await both.verify(await forged(undefined, { secret, alg: 'HS512' }))).toBeUndefined()
  })
})

test('a text that is no JWT claims no issuer', () => {
  expect(claimedIssuer('a.b.c')).toBeUndefined()
  expect(claimedIssuer('')).toBeUndefined()
})
