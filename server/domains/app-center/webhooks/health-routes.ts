import { reading } from '../access/index.ts'
import { Type } from 'typebox'
import { healthRoutes, type HealthView } from '#delivery/surface/health-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

interface WebhookHealth extends HealthView {
  readonly disabledBy: 'person' | 'server' | null
}

/** How the receiver of a webhook is doing, and who switched it off. */
export const webhookHealthRoutes = (webhooks: Surface) =>
  healthRoutes<WebhookHealth>(webhooks, {
    operation: reading(
      'getProjectWebhookHealth',
      'Get how the receiver of a webhook is doing',
      'Also who switched the webhook off and why, until when nothing is sent, and how much waits.',
    ),
    title: 'WebhookHealth',
    fields: {
      isActive: Type.Boolean({ description: 'As the webhook says it.' }),
      disabledBy: Nullable(
        OneOf(['person', 'server'], { description: 'Who switched it off; null while it is active.' }),
      ),
      disabledReason: Nullable(
        OneOf(['failing', 'gone'], {
          description:
            'Why the server did. failing: nothing was accepted since failingSince; it is tried again at nextProbeAt. ' +
            'gone: the receiver answered 410, and it stays off until somebody switches it on.',
        }),
      ),
      disabledAt: Nullable(Type.String({ ...Timestamp, description: 'When the server did.' })),
    },
    viewOf: (view) => ({ ...view, ...switchedOff(view) }),
  })

/** Somebody who switches off what the server had switched off takes it over: it is not tried any more. */
const switchedOff = ({ isActive, disabledReason, disabledAt }: HealthView) => {
  if (isActive) return { disabledBy: null, disabledReason: null, disabledAt: null }
  if (disabledReason !== 'failing' && disabledReason !== 'gone')
    return { disabledBy: 'person' as const, disabledReason: null, disabledAt: null }
  return { disabledBy: 'server' as const, disabledReason, disabledAt }
}
