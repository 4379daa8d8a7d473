import { maskSecrets } from '../masking/mask-secrets.ts'
import { mask } from '../masking/named-values.ts'
import type { Fields } from './audit-store.ts'

/**
 * What leads to receivers, and lets whoever has it in there. Subscriptions keep all of it encrypted, so it stands in an audit even less:
 * a whole URL can be a secret, and so can any header.
 */
const ofReceivers: ReadonlySet<string> = new Set([
  'headers',
  'additional_headers',
  'config',
  'auth',
  'url',
  'target_url',
  'callback',
  'target',
])
const maxCharacters = 20_000

/** The fields of a body as an audit keeps them: secrets are masked by their names; null of what is no object, or long. */
export const maskedFields = (body: unknown): Fields | null => {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Buffer.isBuffer(body)) return null
  const text = JSON.stringify(body, (name, value: unknown) => (ofReceivers.has(name) && value !== null ? mask : value))
  if (text.length > maxCharacters) return null
  try {
    return JSON.parse(maskSecrets(text)) as Fields
  } catch {
    // What is masked may be no JSON any more; then nothing of it is kept.
    return null
  }
}
