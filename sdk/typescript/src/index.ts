export { createClient, type ClientOptions, type Waybill } from './client.ts'
export { WaybillError } from './errors.ts'
export type { EventData, EventType, WebhookEvent } from './events.ts'
export type { components, paths } from './generated/schema.d.ts'
export {
  verifySignature,
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookHeaders,
} from './webhooks.ts'
