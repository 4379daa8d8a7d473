import { hourMs } from '#platform/clock.ts'
import { describe, expect, test } from 'vitest'
import { newSecrets, publicKeyOf, replacedSecrets, rotatedSecrets, type Secrets } from './secrets.ts'

const now = new Date('2026-11-21T09:30:00Z')
const after = (ms: number): number => now.getTime() + ms

const hmac = newSecrets({ signature: 'v1', secret: 'first' })
const pair = newSecrets({ signature: 'v1a', secret: 'a secret' })
const rotate = (secrets: Secrets, rotation: { secret?: string; overlapMs?: number; now?: Date } = {}) =>
  rotatedSecrets(secrets, { now, ...rotation })

describe('new secrets', () => {
  test('of v1 are the secret that was given, or none', () => {
    expect(hmac).toEqual({ signature: 'v1', secret: 'first', privateKey: null, previous: [] })
    expect(newSecrets({ signature: 'v1', secret: null }).secret).toBeNull()
  })

  test('of v1a have a key pair of their own', () => {
    expect(pair).toMatchObject({ signature: 'v1a', secret: 'a secret', previous: [] })
    expect(pair.privateKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/)
    expect(publicKeyOf(pair.privateKey ?? '')).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(newSecrets({ signature: 'v1a', secret: null }).privateKey).not.toBe(pair.privateKey)
  })
})

describe('a rotation', () => {
  test('makes a secret of 32 random bytes, and keeps the old one for a day', () => {
    const rotated = rotate(hmac)
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.previous).toEqual([{ key: 'first', untilMs: after(24 * hourMs) }])
    expect(rotate(hmac).secret).not.toBe(rotated.secret)
  })

  test('takes the secret that is given', () => {
    expect(rotate(hmac, { secret: 'second' })).toMatchObject({ secret: 'second', previous: [{ key: 'first' }] })
  })

  test('of what was not signed has nothing old to keep', () => {
    const rotated = rotate(newSecrets({ signature: 'v1', secret: null }))
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous: [] })
  })

  test('of v1a makes another key pair and leaves the secret alone', () => {
    const rotated = rotate(pair, { secret: 'ignored', overlapMs: hourMs })
    expect(rotated.secret).toBe('a secret')
    expect(rotated.privateKey).not.toBe(pair.privateKey)
    expect(rotated.previous).toEqual([{ key: pair.privateKey, untilMs: after(hourMs) }])
  })

  test('again and again keeps the newest ten, the newest first, and none whose time has passed', () => {
    let secrets = hmac
    for (let number = 1; number <= 12; number++) secrets = rotate(secrets, { secret: `s${number}` })
    expect(secrets.previous.map(({ key }) => key)).toEqual([...Array(10).keys()].map((index) => `s${11 - index}`))
    const later = rotate(secrets, { secret: 'last', now: new Date(after(24 * hourMs)) })
    expect(later.previous.map(({ key }) => key)).toEqual(['s12'])
  })

  test('lets nothing sign beyond its overlap that earlier ones had given longer', () => {
    const twice = rotate(rotate(hmac, { secret: 'second', overlapMs: 100 * hourMs }), {
      secret: 'third',
      overlapMs: hourMs,
    })
    expect(twice.previous).toEqual([
      { key: 'second', untilMs: after(hourMs) },
      { key: 'first', untilMs: after(hourMs) },
    ])
    expect(rotate(twice, { secret: 'fourth', overlapMs: 0 }).previous).toEqual([])
  })

  test('gives nothing more time than it had', () => {
    const twice = rotate(rotate(hmac, { secret: 'second', overlapMs: hourMs }), {
      secret: 'third',
      overlapMs: 100 * hourMs,
    })
    expect(twice.previous).toEqual([
      { key: 'second', untilMs: after(100 * hourMs) },
      { key: 'first', untilMs: after(hourMs) },
    ])
  })

  test('back to an old secret signs once with it', () => {
    const back = rotate(rotate(hmac, { secret: 'second' }), { secret: 'first' })
    expect(back).toMatchObject({ secret: 'first', previous: [{ key: 'second' }] })
    expect(back.previous).toHaveLength(1)
  })
})

describe('replacing the settings', () => {
  test.each([
    ['with the same secret', { signature: 'v1', secret: 'second' }, 1],
    ['with another secret', { signature: 'v1', secret: 'third' }, 0],
    ['with no secret', { signature: 'v1', secret: null }, 0],
    ['with another kind of signature', { signature: 'v1a', secret: 'second' }, 0],
  ] as const)('%s', (_, wanted, kept) => {
    const replaced = replacedSecrets(rotate(hmac, { secret: 'second' }), wanted)
    expect(replaced).toMatchObject(wanted)
    expect(replaced.previous).toHaveLength(kept)
  })

  test('keeps a key pair and its overlap, whatever becomes of the secret beside it', () => {
    const rotated = rotate(pair)
    expect(replacedSecrets(rotated, { signature: 'v1a', secret: 'another' })).toEqual({ ...rotated, secret: 'another' })
  })

  test('with v1 drops the key pair; coming back makes another', () => {
    const dropped = replacedSecrets(rotate(pair), { signature: 'v1', secret: 'a secret' })
    expect(dropped).toEqual({ signature: 'v1', secret: 'a secret', privateKey: null, previous: [] })
    const back = replacedSecrets(dropped, { signature: 'v1a', secret: 'a secret' })
    expect(back.privateKey).toMatch(/^whsk_/)
    expect(back.privateKey).not.toBe(pair.privateKey)
  })
})
