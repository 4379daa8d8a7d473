import type { Envelope } from '../tables/envelope.ts'
import type { EventFilter } from './event-filter.ts'
import { defaultStrategies, type RetryStrategy } from './retry.ts'

/** Which extra headers a subscriber expects: `standard` (Standard Webhooks alone) or also the original hook service's. */
export type Dialect = 'standard' | 'whisperer'

export type Order = 'object' | 'none'

/** How `webhook-signature` is made (Standard Webhooks 1.0): `v1` HMAC with a shared secret, `v1a` Ed25519 with a key pair. */
export type SignatureVersion = 'v1' | 'v1a'

/** How the engine signs in at a receiver (contract, section 4: `config.auth`). */
export type ReceiverAuth =
  | { readonly auth_type: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly auth_type: 'token'
      readonly url: string
      readonly username: string
      readonly password: string
      readonly username_field: string
      readonly password_field: string
      /** Field of the JSON answer that holds the token. */
      readonly token_key: string
      /** The Authorization value, with `{}` in place of the token. */
      readonly header_format: string
    }

/** What delivery needs to know of a subscriber. Domains own who may have one; this is all the engine sees. */
export interface SubscriptionSettings {
  /** Which events it can get at all: `back-office`, or one project's. */
  readonly scope: string
  readonly dialect: Dialect
  readonly envelope: Envelope
  /** Names of events, or patterns of them. */
  readonly eventTypes: readonly string[]
  readonly filter?: EventFilter | null
  readonly url: string
  readonly headers: Readonly<Record<string, string>> | null
  /** With v1a, whose key pairs the engine makes, it signs what the dialect adds and nothing else. */
  readonly secret: string | null
  readonly signature: SignatureVersion
  readonly auth: ReceiverAuth | null
  /** What its owner keeps beside the settings; nothing here reads it. */
  readonly extraConfig?: Readonly<Record<string, unknown>>
  readonly retry: RetryStrategy
  /** 1 to 100; null: as many as the server makes (`MAX_ATTEMPTS`). */
  readonly maxAttempts?: number | null
  /** `object`: of one object's deliveries, the next waits until the one before is done. Absent: none. */
  readonly order?: Order
  readonly isActive: boolean
  /** Token bucket over all processes: so many a second on average, at most `burst` at once. None when absent. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | null
}

/** A subscription of which nothing is said; its URL and events have to be. */
export const plainSettings = {
  dialect: 'standard',
  envelope: 'standard',
  eventTypes: [],
  url: '',
  headers: null,
  secret: null,
  signature: 'v1',
  auth: null,
  retry: defaultStrategies.exponential,
  isActive: true,
} as const satisfies Omit<SubscriptionSettings, 'scope'>

export interface Subscription extends SubscriptionSettings {
  readonly id: number
  readonly version: number
}
