import { mask } from '../subscriber/mask.ts'

const standardPrefix = 'whsec_'

/**
 * Why a text cannot be a signing secret; undefined when it can. Any text of 1 to 256 characters is one,
 * but one that starts like a Standard Webhooks secret must be one: base64 of 24 to 64 bytes.
 */
export const secretProblem = (secret: string): string | undefined => {
  const length = [...secret].length
  if (length < 1 || length > 256) return 'Use 1 to 256 characters, or null for no secret.'
  if (!secret.startsWith(standardPrefix)) return undefined
  const encoded = secret.slice(standardPrefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return 'What follows whsec_ is not base64 with padding.'
  return bytes.length >= 24 && bytes.length <= 64
    ? undefined
    : `A whsec_ secret has 24 to 64 bytes; this one has ${bytes.length}.`
}

/** Why a text cannot be a new signing secret; undefined when it can. The mask stands for an old one. */
export const newSecretProblem = (secret: string): string | undefined =>
  secret === mask ? 'This is the mask; send a secret, or leave it out to have one made.' : secretProblem(secret)
