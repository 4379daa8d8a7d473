import type { SignatureVersion } from '#delivery/subscriber/subscription.ts'
import type { Problems } from '#platform/problems.ts'

const versions = {
  v1: 'HMAC with secret_key',
  v1a: 'Ed25519 with a key pair that is made here',
} as const satisfies Record<SignatureVersion, string>

const expected = `Expected one of: ${Object.entries(versions)
  .map(([version, meaning]) => `${version} (${meaning})`)
  .join(', ')}.`

/**
 * Reads the `signature` of `config`; null is the usual one.
 * @returns undefined when it is not named, or when `problems` says what is wrong with it.
 */
export const parseSignature = (config: unknown, problems: Problems): SignatureVersion | undefined => {
  const signature = isObject(config) ? config['signature'] : undefined
  if (signature === undefined) return undefined
  if (signature === null) return 'v1'
  if (isVersion(signature)) return signature
  problems.add('config.signature', expected)
  return undefined
}

const isVersion = (value: unknown): value is SignatureVersion =>
  typeof value === 'string' && Object.hasOwn(versions, value)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
