import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'

/** What begins every secret we hand out, so that people and secret scanners recognize it. */
export const keyPrefixes = { login: 'wbl_', api: 'wbk_', refresh: 'wbr_', password: 'wbp_' } as const

export interface NewKey {
  /** Shown once, never stored. */
  readonly key: string
  readonly hash: string
  /** Enough to recognize the key in a list: its kind and eight characters. */
  readonly prefix: string
}

/** A key of 256 random bits (NIST SP 800-63B asks for 112). */
export const newKey = (kind: keyof typeof keyPrefixes): NewKey => {
  const start = keyPrefixes[kind]
  const key = start + randomBytes(32).toString('base64url')
  return { key, hash: hashKey(key), prefix: key.slice(0, start.length + 8) }
}

/** SHA-256, base64url: how keys are stored and found. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** A hash that cannot be guessed at without the server's key, for texts that are not random themselves. */
export const keyedHash = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** A password to be shown once: 120 random bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** An id for something that is not stored (RFC 9562, version 4). */
export const newUuid = (): string => randomUUID()
