import type { webhooks } from './generated/schema.d.ts'

/** Name of an event that Waybill itself knows, such as `package.created`. */
export type EventType = keyof webhooks

type BodyOf<T extends EventType> = webhooks[T]['post'] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
/** Hooks of the back office have two envelopes, those of projects one; what they carry is the same. */
type Carried<Body> = Body extends { payload: infer Data } ? Data : Body extends { data: infer Data } ? Data : never

/** What an event of a type carries. */
export type EventData<T extends EventType> = Carried<BodyOf<T>>

/** A delivery, in one shape for both envelopes. */
export interface Delivered<Type extends string, Data> {
  /** `webhook-id`: the same on every attempt of this delivery. Remember it to do the work once. */
  readonly id: string
  readonly type: Type
  /** When it happened (RFC 3339); undefined in the original envelope, which does not say. */
  readonly timestamp: string | undefined
  readonly data: Data
}

/** Every event of the catalogue: `switch (event.type)` knows the data of each. */
export type WebhookEvent = { [Type in EventType]: Delivered<Type, EventData<Type>> }[EventType]
