import { createHmac, createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecrets, publicKeyOf } from '../secrets/secrets.ts'
import {
  privateSigningKey,
  receiverKeys,
  signingKeys,
  standardSignature,
  standardSignatures,
  whispererSignature,
} from './signing.ts'

/** The key pair that is published beside the test vector of the reference implementation. */
const published = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='

describe('webhook-signature', () => {
  test('is the one published with Standard Webhooks', () => {
    const { standard } = signingKeys('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const signature = standardSignature(standard, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('is accepted by the library that receivers use, for any body and secret', () => {
    const secrets = fc
      .uint8Array({ minLength: 24, maxLength: 64 })
      .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
    fc.assert(
      fc.property(secrets, fc.uuid(), fc.jsonValue(), (secret, id, data) => {
        const body = JSON.stringify({ data })
        const timestamp = Math.floor(Date.now() / 1_000)
        const signature = standardSignature(signingKeys(secret).standard, id, timestamp, body)
        const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature')
      }),
    )
  })

  test.each(['a plain secret', 'şifre 🔑', 'whsecX', 'WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'of a secret without the prefix is keyed with its text: %s',
    (secret) => {
      const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update('id.1.{}').digest('base64')
      expect(standardSignature(signingKeys(secret).standard, 'id', 1, '{}')).toBe(`v1,${expected}`)
    },
  )

  test('changes with the id, the time, the body and the key', () => {
    const { standard: key } = signingKeys('a secret')
    const signatures = [
      standardSignature(key, 'id', 1, '{}'),
      standardSignature(key, 'di', 1, '{}'),
      standardSignature(key, 'id', 2, '{}'),
      standardSignature(key, 'id', 1, '{ }'),
      standardSignature(signingKeys('another').standard, 'id', 1, '{}'),
    ]
    expect(new Set(signatures).size).toBe(signatures.length)
  })
})

describe('webhook-signature with a key pair', () => {
  /** As a receiver does it, from the text of the public key alone. */
  const isAuthentic = (publicKey: string, content: string | Uint8Array, signature: string): boolean => {
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    return verify(null, Buffer.from(content), key, Buffer.from(signature.slice('v1a,'.length), 'base64'))
  }

  test('is the one published with Standard Webhooks', () => {
    const key = privateSigningKey(published)
    expect(standardSignature(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    )
    expect(publicKeyOf(published)).toBe('whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=')
  })

  test('of any body is verified by the public key, and by no other', () => {
    const [privateKey, other] = [made(), made()]
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), fc.jsonValue(), (id, timestamp, data) => {
        const body = JSON.stringify({ data })
        const signature = standardSignature(privateSigningKey(privateKey), id, timestamp, body)
        expect(signature).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
        expect(isAuthentic(publicKeyOf(privateKey), `${id}.${timestamp}.${body}`, signature)).toBe(true)
        expect(isAuthentic(publicKeyOf(privateKey), `${id}.${timestamp}.${body} `, signature)).toBe(false)
        expect(isAuthentic(publicKeyOf(other), `${id}.${timestamp}.${body}`, signature)).toBe(false)
      }),
    )
  })

  test('of bytes that are no text is over the bytes', () => {
    const privateKey = made()
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const signature = standardSignature(privateSigningKey(privateKey), 'id', 1, bytes)
        const content = Buffer.concat([Buffer.from('id.1.'), bytes])
        expect(isAuthentic(publicKeyOf(privateKey), content, signature)).toBe(true)
      }),
    )
  })

  const made = (): string => newSecrets({ signature: 'v1a', secret: null }).privateKey ?? ''
})

describe('webhook-signature of several keys', () => {
  const at = (second: number) => new Date(second * 1_000)
  const secrets = {
    signature: 'v1',
    secret: 'newest',
    privateKey: null,
    previous: [
      { key: 'newer', untilMs: 20_000 },
      { key: 'old', untilMs: 10_000 },
    ],
  } as const
  const signed = (second: number, by: readonly string[]): string =>
    by.map((secret) => standardSignature(signingKeys(secret).standard, 'id', second, '{}')).join(' ')

  test('has one for each that still signs, the newest first', () => {
    const keys = receiverKeys(secrets)?.standard ?? []
    expect(standardSignatures(keys, 'id', at(9), '{}')).toBe(signed(9, ['newest', 'newer', 'old']))
    expect(standardSignatures(keys, 'id', new Date(9_999), '{}')).toBe(signed(9, ['newest', 'newer', 'old']))
    expect(standardSignatures(keys, 'id', at(10), '{}')).toBe(signed(10, ['newest', 'newer']))
    expect(standardSignatures(keys, 'id', at(20), '{}')).toBe(signed(20, ['newest']))
  })

  test('is accepted by the library that receivers use, whichever of them it has', () => {
    const [now, newest] = [new Date(), `whsec_${Buffer.alloc(32, 1).toString('base64')}`]
    const old = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
    const previous = [{ key: old, untilMs: now.getTime() + 1_000 }]
    const keys = receiverKeys({ ...secrets, secret: newest, previous })?.standard ?? []
    const headers = {
      'webhook-id': 'id',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': standardSignatures(keys, 'id', now, '{}'),
    }
    for (const secret of [newest, old]) expect(new Webhook(secret).verify('{}', headers)).toEqual({})
  })

  test('that are key pairs has nothing of a secret, which signs x-whisperer-signature alone', () => {
    const keys = receiverKeys({ signature: 'v1a', secret: 'a secret', privateKey: published, previous: [] })
    const expected = standardSignature(privateSigningKey(published), 'id', 1, '{}')
    expect(standardSignatures(keys?.standard ?? [], 'id', at(1), '{}')).toBe(expected)
    expect(keys?.whisperer && whispererSignature(keys.whisperer, '{}')).toBe(
      whispererSignature(signingKeys('a secret').whisperer, '{}'),
    )
  })

  test('is none without a secret', () => {
    expect(receiverKeys(newSecrets({ signature: 'v1', secret: null }))).toBeNull()
  })
})

describe('x-whisperer-signature', () => {
  test('is the published HMAC-SHA256 vector of RFC 4231, section 4.3, as the original writes it', () => {
    const { whisperer } = signingKeys('Jefe')
    expect(whispererSignature(whisperer, 'what do ya want for nothing?')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  test('is keyed with the text of a secret even when it is a Standard Webhooks secret', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const expected = createHmac('sha256', secret).update('{"ı":"🎁"}', 'utf8').digest('hex')
    expect(whispererSignature(signingKeys(secret).whisperer, '{"ı":"🎁"}')).toBe(`sha256=${expected}`)
  })
})
