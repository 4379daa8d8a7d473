import { Type, type Static } from 'typebox'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { OptionalBody } from '../request-fields.ts'

const longestOverlapHours = 168
export const usualOverlapHours = 24

const algorithmNames = ['hmac-sha256', 'ed25519'] as const
export type Algorithm = (typeof algorithmNames)[number]

const shared = {
  algorithm: OneOf(algorithmNames, {
    description: 'Of webhook-signature: hmac-sha256 for signature v1, ed25519 for v1a.',
  }),
  public_key: Type.Optional(
    Type.String({
      description: 'For ed25519, what receivers verify with: whpk_ and base64 of 32 bytes.',
      examples: ['whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='],
    }),
  ),
}

export const SecretRecord = Type.Object(
  {
    ...shared,
    secret_key: Nullable(Type.String({ description: '********, or null when there is none.' })),
    previous: Type.Array(Type.Object({ valid_until: Timestamp }), {
      description: 'Secrets that were replaced and still sign beside the present one, the newest first.',
    }),
  },
  { title: 'HookSecret' },
)
export type SecretRecord = Static<typeof SecretRecord>

export const RotatedSecret = Type.Object(
  {
    ...shared,
    secret_key: Nullable(
      Type.String({
        description: 'The new secret, shown this once. null for ed25519, whose private key is never shown.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
    previous_valid_until: Nullable(Timestamp),
  },
  { title: 'RotatedHookSecret' },
)
export type RotatedSecret = Static<typeof RotatedSecret>

export const Rotate = OptionalBody(
  {
    secret_key: Type.Optional(
      Type.String({
        description: 'The new secret. Absent: whsec_ and base64 of 32 random bytes. Refused for ed25519.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
    overlap_hours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: longestOverlapHours,
        description: `Hours that the old secret signs beside the new one; 0 for not at all. Default: ${usualOverlapHours}.`,
        examples: [usualOverlapHours],
      }),
    ),
  },
  [{ overlap_hours: usualOverlapHours }],
)
