import { algorithm, rotatedSecret, secretRoutes, validUntil } from '#delivery/surface/secret-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { Nullable, Timestamp } from '#platform/http/schemas.ts'
import { Type } from 'typebox'
import { changing, reading } from './hook-surface.ts'

const signing = {
  algorithm,
  publicKey: Type.Optional(
    Type.String({
      description: 'For ed25519, what receivers verify with: whpk_ and base64 of 32 bytes.',
      examples: ['whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='],
    }),
  ),
}

/** What signs a hook's deliveries. */
export const hookSecretRoutes = (hooks: Surface) =>
  secretRoutes(hooks, {
    isReadable: false,
    titles: { get: 'HookSecret', rotated: 'RotatedHookSecret' },
    get: {
      ...signing,
      secret: Nullable(Type.String({ description: '********, or null when there is none.' })),
      previous: Type.Array(Type.Object({ valid_until: Timestamp }), {
        description: 'Secrets that were replaced and still sign beside the present one, the newest first.',
      }),
    },
    rotated: {
      ...signing,
      secret: rotatedSecret('The new secret, shown this once. null for ed25519, whose private key is never shown.'),
      previousValidUntil: validUntil,
    },
    given: 'The new secret. Absent: whsec_ and base64 of 32 random bytes. Refused for ed25519.',
    operations: {
      get: reading(
        'getHookSecret',
        'Get what signs the deliveries of a hook',
        'Masked: what signs was shown when it was made. `previous` are secrets that still sign beside it.',
      ),
      rotate: changing(
        'rotateHookSecret',
        'Change what signs the deliveries of a hook',
        'The old secret signs beside the new one in webhook-signature until previous_valid_until, so receivers can change over in between. ' +
          'x-whisperer-signature, which has one value, is made with the new one at once. The body can be left out.',
      ),
      revoke: changing(
        'revokePreviousHookSecrets',
        'End the overlap after a change of secrets',
        'Old secrets sign no more.',
      ),
    },
  })
