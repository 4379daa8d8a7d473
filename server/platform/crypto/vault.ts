import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deriveKey } from './digests.ts'

const version = 'v1'
const maxOpened = 1_000
const maxOpenedLength = 4_096

/**
 * Encrypts what must be stored but never be readable in a dump: signing secrets, passwords of receivers.
 *
 * AES-256-GCM with a random 96-bit iv for each value (NIST SP 800-38D). The key id says which SECRET_KEY sealed it.
 * @param secretKey seals, and opens.
 * @param earlier SECRET_KEYs that only open.
 */
export const makeVault = (secretKey: string, earlier: readonly string[] = []) => {
  const present = keyOf(secretKey)
  const keys = new Map([...earlier.map(keyOf), present].map(({ id, key }) => [id, key]))

  // A sealed text never means anything else, so what was opened need not be deciphered for every row of every list.
  const opened = new Map<string, string>()

  return {
    /** What every text begins with that was sealed with the present key. As long as each of `earlierMarks`. */
    mark: markOf(present.id),
    /** What texts begin with that were sealed with each earlier key. */
    earlierMarks: [...keys.keys()].filter((id) => id !== present.id).map(markOf),
    /** Seals with the present key. @returns `v1.<key id>.<iv>.<tag>.<ciphertext>`, base64url parts. */
    seal(plain: string): string {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', present.key, iv)
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return markOf(present.id) + [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')).join('.')
    },
    /** Opens what was sealed with any of the keys. @throws when it was another key, or the text was changed. */
    open(text: string): string {
      const known = opened.get(text)
      if (known !== undefined) return known
      const [format, sealedWith = 'none', iv = '', tag = '', sealed = ''] = text.split('.')
      const key = format === version ? keys.get(sealedWith) : undefined
      if (key === undefined) {
        throw new Error(
          `A stored secret was encrypted with another SECRET_KEY (key id ${sealedWith}, here ${[...keys.keys()].toReversed().join(', ')}).`,
        )
      }
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      const plain = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString(
        'utf8',
      )
      if (opened.size >= maxOpened) opened.clear()
      if (text.length <= maxOpenedLength) opened.set(text, plain)
      return plain
    },
  }
}

export type Vault = ReturnType<typeof makeVault>

const keyOf = (secretKey: string): { readonly id: string; readonly key: Buffer } => {
  const key = deriveKey(secretKey, 'secrets-at-rest')
  return { key, id: createHash('sha256').update(key).digest('base64url').slice(0, 8) }
}

const markOf = (id: string): string => `${version}.${id}.`
