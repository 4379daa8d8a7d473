import { changing } from '../access/index.ts'
import { Type } from 'typebox'
import { secretRoutes, validUntil } from '#delivery/surface/secret-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'

const shown = {
  secret: Type.String({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDwDpVvyVm1eE='] }),
  previousValidUntil: validUntil,
}

/** What signs the deliveries of a webhook (contract, section 3). */
export const webhookSecretRoutes = (webhooks: Surface) =>
  secretRoutes(webhooks, {
    isReadable: true,
    titles: { get: 'WebhookSecret', rotated: 'WebhookSecret', rotation: 'WebhookSecretRotation' },
    get: shown,
    rotated: shown,
    operations: {
      // A right to change: whoever has the secret can pass for this server.
      get: changing(
        'getProjectWebhookSecret',
        'Get the secret that signs the deliveries of a webhook',
        'For owners and admins. `previousValidUntil`: until when the secret before it signs as well.',
      ),
      rotate: changing(
        'rotateProjectWebhookSecret',
        'Change the secret that signs the deliveries of a webhook',
        'Answers the new one. The old one signs beside it until `previousValidUntil`, so that receivers can change over in between; ' +
          'one that others know is cut off with `{"overlapHours": 0}`. The body can be left out.',
      ),
      revoke: changing(
        'revokePreviousProjectWebhookSecret',
        'End the overlap after a change of the secret of a webhook',
        'Secrets that were replaced sign no more. 204 also when there is none.',
      ),
    },
  })
