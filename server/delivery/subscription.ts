import type { RetryStrategy } from './retry.ts'

/** Which extra headers a subscriber expects: `standard` (Standard Webhooks alone) or also the original hook service's. */
export type Dialect = 'standard' | 'whisperer'

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
  readonly eventTypes: readonly string[]
  readonly url: string
  readonly headers: Readonly<Record<string, string>> | null
  readonly secret: string | null
  readonly auth: ReceiverAuth | null
  readonly retry: RetryStrategy
  readonly isActive: boolean
}

export interface Subscription extends SubscriptionSettings {
  readonly id: number
  readonly version: number
}
