import { Type } from 'typebox'
import { Nullable, OneOf } from '#platform/http/schemas.ts'
import { defineEvent } from './event.ts'

const Time = Nullable(Type.String({ format: 'date-time' }))

/** The health of a webhook. Not its address: whoever listens need not be its owner. */
export const WebhookHealthData = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    health: OneOf(['healthy', 'failing', 'disabled']),
    /** `failing` or `gone`, when it is disabled. */
    disabled_reason: Nullable(Type.String()),
    failures: Type.Integer({ minimum: 0 }),
    failing_since: Time,
    last_success_at: Time,
    disabled_at: Time,
    next_probe_at: Time,
  },
  { title: 'WebhookHealthData', description: 'How a webhook is doing.' },
)

const example = {
  id: 12,
  health: 'failing' as const,
  disabled_reason: null,
  failures: 5,
  failing_since: '2026-11-21T09:30:00.000Z',
  last_success_at: '2026-11-21T09:29:58.000Z',
  disabled_at: null,
  next_probe_at: null,
}

/** What the delivery engine itself reports of its endpoints. */
export const webhookEvents = {
  'webhook.failing': defineEvent({
    description: 'Deliveries to a webhook fail again and again; it now gets one at a time.',
    about: 'webhook',
    schema: WebhookHealthData,
    example,
  }),
  'webhook.disabled': defineEvent({
    description: 'A webhook is switched off: nothing succeeded for too long, or it answered 410.',
    about: 'webhook',
    schema: WebhookHealthData,
    example: {
      ...example,
      health: 'disabled' as const,
      disabled_reason: 'failing',
      failures: 61,
      disabled_at: '2026-11-26T09:30:00.000Z',
      next_probe_at: '2026-11-26T10:30:00.000Z',
    },
  }),
  'webhook.recovered': defineEvent({
    description: 'A webhook that was failing or disabled takes deliveries again.',
    about: 'webhook',
    schema: WebhookHealthData,
    example: { ...example, health: 'healthy' as const, failures: 0, failing_since: null },
  }),
}
