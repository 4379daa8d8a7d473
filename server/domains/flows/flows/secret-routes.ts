import { Type } from 'typebox'
import { rotatedSecret, secretRoutes, validUntil } from '#delivery/surface/secret-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { Nullable } from '#platform/http/schemas.ts'
import { operation, outboundOperation as outbound } from './flow-surface.ts'

/** What signs the data of a flow. */
export const flowSecretRoutes = (flows: Surface) =>
  secretRoutes(flows, {
    isReadable: false,
    titles: { get: 'FlowSecret', rotated: 'RotatedFlowSecret' },
    get: {
      secret: Nullable(Type.String({ description: '********, or null when there is none.' })),
      previousValidUntil: validUntil,
    },
    rotated: { secret: rotatedSecret('The new secret, shown this once.'), previousValidUntil: validUntil },
    given: 'The new secret. Absent: whsec_ and base64 of 32 random bytes.',
    operations: {
      get: outbound(
        'getFlowSecret',
        'Get until when the old secret of a flow signs',
        '`previous_valid_until`: until when the secret before this one signs as well; null when it does not.',
      ),
      rotate: operation(
        'rotateFlowSecret',
        'Change the secret that signs the data of a flow',
        'The old secret signs beside the new one until previous_valid_until, so the target can change over in between. The body can be ' +
          'left out. A flow that was not signed is signed from now on. 409 for an inbound flow.',
      ),
      revoke: outbound(
        'revokePreviousFlowSecrets',
        'End the overlap after a change of secrets',
        'Old secrets sign no more.',
      ),
    },
  })
