import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import type { SignatureVersion } from '#delivery/subscriber/subscription.ts'
import { masked } from '#delivery/subscriber/mask.ts'
import type { Algorithm, RotatedSecret, SecretRecord } from './secret-schemas.ts'

const algorithms: Record<SignatureVersion, Algorithm> = { v1: 'hmac-sha256', v1a: 'ed25519' }

/** What signs a hook's deliveries, as anybody may see it who may see the hook. */
export const toSecretRecord = (state: SecretState, now: Date): SecretRecord => ({
  ...open(state),
  secret_key: masked(state.secret),
  previous: state.previousUntil.filter((until) => until > now).map((until) => ({ valid_until: until.toISOString() })),
})

/** The answer to a rotation: the only one that shows a secret. */
export const toRotatedSecret = (state: SecretState): RotatedSecret => {
  const last = Math.max(...state.previousUntil.map((until) => until.getTime()))
  return {
    ...open(state),
    secret_key: state.signature === 'v1a' ? null : state.secret,
    previous_valid_until: Number.isFinite(last) ? new Date(last).toISOString() : null,
  }
}

const open = ({ signature, publicKey }: SecretState): Pick<SecretRecord, 'algorithm' | 'public_key'> => ({
  algorithm: algorithms[signature],
  ...(publicKey === null ? {} : { public_key: publicKey }),
})
