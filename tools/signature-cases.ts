import type { KeyObject } from 'node:crypto'
import { newSecrets, publicKeyOf } from '#delivery/secrets/secrets.ts'
import { privateSigningKey, signingKeys, standardSignature } from '#delivery/attempt/signing.ts'

/** A delivery, and whether its receiver may believe it. */
export interface SignatureCase {
  readonly name: string
  readonly expected: boolean
  /** What the receiver has: the secret, or the public key. */
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What one subscription signs with, and what its receiver verifies with. */
interface Signer {
  readonly secret: string
  readonly another: string
  readonly version: string
  readonly key: KeyObject
}

const now = Math.floor(Date.now() / 1_000)
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** The key pair that is published beside the test vector of the reference implementation. */
const published = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
const body = '{"type":"package.created","data":{"name":"Kırmızı"}}'

const withSecret = (secret: string): Signer => ({
  secret,
  another: `${standardSecret}BBBB`,
  version: 'v1',
  key: signingKeys(secret).standard,
})
/** One with a secret of Standard Webhooks, and one with another text. */
export const secrets = [standardSecret, 'any text, even şöyle'].map(withSecret)
/** A subscription with a key pair. */
export const keyPair: Signer = {
  secret: publicKeyOf(published),
  another: publicKeyOf(newSecrets({ signature: 'v1a', secret: null }).privateKey ?? ''),
  version: 'v1a',
  key: privateSigningKey(published),
}

/** A delivery as it is signed here, with one thing changed. */
const delivered = (
  { key, secret }: Signer,
  changes: Partial<SignatureCase> & { readonly sentAt?: number },
): SignatureCase => {
  const { sentAt = now, ...others } = changes
  const signature = standardSignature(key, 'msg', sentAt, body)
  const headers = { 'webhook-id': 'msg', 'webhook-timestamp': String(sentAt), 'webhook-signature': signature }
  return { name: 'genuine', expected: true, secret, body, ...others, headers: { ...headers, ...changes.headers } }
}

/** Deliveries that are genuine, and that differ from one in each of the ways that matter. */
export const casesOf = (signer: Signer): SignatureCase[] => {
  const { version, another } = signer
  const genuine = delivered(signer, {})
  const signature = genuine.headers['webhook-signature'] ?? ''
  const refused = (name: string, changes: Parameters<typeof delivered>[1]): SignatureCase =>
    delivered(signer, { ...changes, name, expected: false })
  return [
    genuine,
    delivered(signer, {
      name: 'one of several',
      headers: { 'webhook-signature': `${version},AAAA v2,${signature} ${signature}` },
    }),
    delivered(signer, { name: 'four minutes old', sentAt: now - 240 }),
    refused('six minutes old', { sentAt: now - 360 }),
    refused('six minutes ahead', { sentAt: now + 360 }),
    refused('another body', { body: `${body} ` }),
    refused('another id', { headers: { 'webhook-id': 'other' } }),
    refused('another time', { headers: { 'webhook-timestamp': String(now - 1) } }),
    refused('another secret', { secret: another }),
    refused('another version', { headers: { 'webhook-signature': signature.replace('v1', 'v2') } }),
    refused('no time', { headers: { 'webhook-timestamp': 'now' } }),
    refused('no signature', { headers: { 'webhook-signature': '' } }),
  ]
}
