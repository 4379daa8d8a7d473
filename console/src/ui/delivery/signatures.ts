/** What a signature is over. */
export interface Signed {
  /** `webhook-id`. */
  readonly id: string
  /** `webhook-timestamp`, Unix seconds. */
  readonly timestamp: string
  readonly body: string
}

export interface Signatures {
  /** `webhook-signature`, as Standard Webhooks 1.0 have it. */
  readonly standard: string
  /** `x-whisperer-signature`, over the body alone. */
  readonly whisperer: string
}

/** What a secret signs a delivery with: docs/verifying-signatures.md. Computed here; the secret goes nowhere. */
export const signaturesOf = async (secret: string, { id, timestamp, body }: Signed): Promise<Signatures> => {
  const text = bytesOf(secret)
  const key = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : text
  const [standard, whisperer] = await Promise.all([
    hmac(key, bytesOf(`${id}.${timestamp}.${body}`)),
    hmac(text, bytesOf(body)),
  ])
  return { standard: `v1,${toBase64(standard)}`, whisperer: `sha256=${toHex(whisperer)}` }
}

/** Whether one of the signatures of a header was made with the private key of this public one (`whpk_…`). */
export const isSignedBy = async (
  publicKey: string,
  header: string,
  { id, timestamp, body }: Signed,
): Promise<boolean> => {
  const raw = fromBase64(publicKey.replace(/^whpk_/, ''))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  const signed = bytesOf(`${id}.${timestamp}.${body}`)
  const given = header.split(/\s+/).filter((one) => one.startsWith('v1a,'))
  const results = await Promise.all(
    given.map((one) => crypto.subtle.verify('Ed25519', key, fromBase64(one.slice('v1a,'.length)), signed)),
  )
  return results.includes(true)
}

/** Whether a header that somebody received has one of the two; it may hold several, parted by spaces. */
export const hasSignature = (header: string, { standard, whisperer }: Signatures): boolean => {
  const given = header.trim().split(/\s+/)
  return given.includes(standard) || given.includes(whisperer)
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** @throws DOMException for what is not base64 */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0))

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const hmac = async (key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}
