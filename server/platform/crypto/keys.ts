import { hkdfSync } from 'node:crypto'

/** What a derived key is for. One key for each purpose, so none can be used in place of another. */
export type Purpose = 'secrets-at-rest' | 'access-tokens' | 'idempotency' | 'links' | 'hook-urls'

/**
 * A 32-byte key for one purpose, derived from SECRET_KEY with HKDF-SHA256 (RFC 5869).
 * The same SECRET_KEY and purpose always give the same key.
 */
export const deriveKey = (secretKey: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'waybill', purpose, 32))
