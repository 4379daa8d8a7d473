import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifySignature, verifyWebhook, WebhookVerificationError } from '@waybill/sdk'

interface Case {
  readonly name: string
  readonly expected: boolean
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Signed by the server's own code, and changed in each of the ways that matter. */
const cases = JSON.parse(readFileSync(process.env['SIGNATURE_CASES'] ?? '', 'utf8')) as Case[]

const isGenuine = ({ headers, body, secret }: Case, raw: (body: string) => Uint8Array | string): boolean => {
  try {
    verifySignature(headers, raw(body), secret)
    return true
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError)
    return false
  }
}

test('what is genuine is accepted, and nothing else', () => {
  assert.ok(cases.length > 20)
  for (const raw of [(body: string) => body, (body: string) => Buffer.from(body)])
    for (const one of cases)
      assert.equal(isGenuine(one, raw), one.expected, `${one.name} with ${one.secret.slice(0, 5)}`)
})

const [genuine = assert.fail('There are no cases.')] = cases

test('headers come from Node.js, from fetch, and in any case', () => {
  const { headers, body, secret } = genuine
  const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const given of [headers, new Headers(headers), loud]) assert.equal(verifyWebhook(given, body, secret).id, 'msg')
})

test('while a secret is being changed, a receiver can have both', () => {
  const { headers, body, secret } = genuine
  assert.equal(verifyWebhook(headers, body, ['whsec_AAAA', secret]).type, 'package.created')
  assert.throws(() => verifyWebhook(headers, body, ['whsec_AAAA', 'whsec_BBBB']), { reason: 'signature' })
})

test('the tolerance is the caller’s', () => {
  const old = cases.find(({ name }) => name === 'six minutes old') ?? assert.fail('There is no old case.')
  assert.throws(() => verifySignature(old.headers, old.body, old.secret), { reason: 'timestamp' })
  assert.equal(verifySignature(old.headers, old.body, old.secret, { toleranceSeconds: 600 }).id, 'msg')
})

test('an empty secret is a mistake of the receiver, and no signature', () => {
  assert.throws(() => verifySignature(genuine.headers, genuine.body, ''), TypeError)
})
