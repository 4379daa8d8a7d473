import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a derived key is for. One key for each purpose, so none can be used in place of another. */
export type Purpose = 'secrets-at-rest' | 'access-tokens' | 'idempotency' | 'links' | 'hook-urls' | 'csrf'

/**
 * A 32-byte key for one purpose, derived from SECRET_KEY with HKDF-SHA256 (RFC 5869).
 * The same SECRET_KEY and purpose always give the same key.
 */
export const deriveKey = (secretKey: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'waybill', purpose, 32))

/** SHA-256 of a text, base64url: tells whether two texts are the same. Hides nothing that can be guessed. */
export const contentHash = (text: string): string => hash('sha256', text, 'base64url')

/** Whether two texts are the same, in a time that does not depend on how much of them is. */
export const isSameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
