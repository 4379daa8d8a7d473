import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signingKeys, standardSignature, whispererSignature } from './signing.ts'

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
