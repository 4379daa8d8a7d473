import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

/** Encrypts what must be stored but never be readable in a dump: signing secrets, passwords of receivers. */
export interface Vault {
  /** @returns `v1.<key id>.<iv>.<tag>.<ciphertext>`, base64url parts. */
  seal(plain: string): string
  /** @throws when the text was sealed with another SECRET_KEY, or was changed. */
  open(sealed: string): string
}

const version = 'v1'

/** AES-256-GCM with a random 96-bit iv for each value (NIST SP 800-38D). The key id says which SECRET_KEY sealed it. */
export const makeVault = (secretKey: string): Vault => {
  const key = deriveKey(secretKey, 'secrets-at-rest')
  const keyId = createHash('sha256').update(key).digest('base64url').slice(0, 8)

  return {
    seal(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [version, keyId, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
    },
    open(text) {
      const [format, sealedWith, iv = '', tag = '', sealed = ''] = text.split('.')
      if (format !== version || sealedWith !== keyId) {
        throw new Error(
          `A stored secret was encrypted with another SECRET_KEY (key id ${sealedWith ?? 'none'}, here ${keyId}).`,
        )
      }
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString('utf8')
    },
  }
}
