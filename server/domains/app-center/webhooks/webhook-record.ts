import { maskedHeaders } from '#delivery/subscriber/mask.ts'
import { subscribedEvents } from './event-names.ts'
import type { FullWebhook } from './find-webhooks.ts'
import type { WebhookRecord } from './schemas.ts'

/** A webhook as answers show it: without its secret, and without what lets the sender in at the receiver. */
export const toRecord = ({ id, name, createdAt, updatedAt, settings }: FullWebhook): WebhookRecord => ({
  _id: id,
  name,
  url: settings.url,
  headers: maskedHeaders(settings.headers ?? {}),
  active: settings.isActive,
  events: subscribedEvents(settings.eventTypes),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
