import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { dayMs } from '#platform/clock.ts'
import type { SignatureVersion, SubscriptionSettings } from '../subscriber/subscription.ts'

/**
 * What signs the deliveries of a subscription:
 *
 *     v1    `secret` signs webhook-signature (HMAC) and x-whisperer-signature
 *     v1a   `privateKey` signs webhook-signature (Ed25519); `secret`, if there is one, x-whisperer-signature
 *
 * A rotation replaces what signs webhook-signature; the old one signs on beside the new one until its time, so that
 * receivers can change over when it suits them. Replacing the settings with another secret, or another kind of
 * signature, takes effect at once and ends that overlap.
 */
export interface Secrets {
  readonly signature: SignatureVersion
  /** `whsec_…`, or any other text. */
  readonly secret: string | null
  /** `whsk_…`, made here and never shown. */
  readonly privateKey: string | null
  /** What signed before, the newest first, always of the same kind. */
  readonly previous: readonly PreviousKey[]
}

export interface PreviousKey {
  readonly key: string
  /** Unix milliseconds: signs up to, not including, this moment. */
  readonly untilMs: number
}

export interface Rotation {
  /** The new secret; one is made when it is absent. Ignored for v1a, whose key pairs are always made here. */
  readonly secret?: string | undefined
  /** Milliseconds that the old one signs beside the new one. 0: not at all. */
  readonly overlapMs?: number | undefined
  readonly now: Date
}

type Wanted = Pick<SubscriptionSettings, 'signature' | 'secret'>

/** Old keys that sign at most, however often somebody rotates: each costs a signature and a line of the header. */
const maxPrevious = 10

/** Those of a new subscription. */
export const newSecrets = ({ signature, secret }: Wanted): Secrets => ({
  signature,
  secret,
  privateKey: signature === 'v1a' ? newPrivateKey() : null,
  previous: [],
})

/** Those after all settings were replaced. */
export const replacedSecrets = (stored: Secrets, wanted: Wanted): Secrets => {
  const fresh = newSecrets(wanted)
  const replaced = { ...fresh, privateKey: fresh.privateKey && (stored.privateKey ?? fresh.privateKey) }
  return signingKey(replaced) === signingKey(stored) ? { ...replaced, previous: stored.previous } : replaced
}

/** Those after a rotation. Nothing but the new one signs when the overlap is over, whatever earlier rotations said. */
export const rotatedSecrets = (stored: Secrets, { secret, overlapMs = dayMs, now }: Rotation): Secrets => {
  const rotated =
    stored.signature === 'v1a'
      ? { ...stored, privateKey: newPrivateKey() }
      : { ...stored, secret: secret ?? newSecret() }
  const until = now.getTime() + overlapMs
  const old = signingKey(stored)
  const previous = [...(old === null ? [] : [{ key: old, untilMs: until }]), ...stored.previous]
    .map(({ key, untilMs }) => ({ key, untilMs: Math.min(untilMs, until) }))
    .filter(({ key, untilMs }) => untilMs > now.getTime() && key !== signingKey(rotated))
  return { ...rotated, previous: previous.slice(0, maxPrevious) }
}

/** What signs webhook-signature; null for nothing. */
const signingKey = ({ signature, secret, privateKey }: Secrets): string | null =>
  signature === 'v1a' ? privateKey : secret

/** A Standard Webhooks secret of 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const privatePrefix = 'whsk_'
const seedBytes = 32

/** An Ed25519 key (RFC 8032): the 32 bytes of the private key and the 32 of the public one, after each other. */
const newPrivateKey = (): string => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return privatePrefix + Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url'))).toString('base64')
}

/** The two halves of a `whsk_…` key. */
export const keyPairOf = (privateKey: string): { readonly seed: Buffer; readonly publicKey: Buffer } => {
  const bytes = Buffer.from(privateKey.slice(privatePrefix.length), 'base64')
  return { seed: bytes.subarray(0, seedBytes), publicKey: bytes.subarray(seedBytes) }
}

/** What receivers verify with (Standard Webhooks 1.0): `whpk_` and base64 of 32 bytes. */
export const publicKeyOf = (privateKey: string): string => `whpk_${keyPairOf(privateKey).publicKey.toString('base64')}`
