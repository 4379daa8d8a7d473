/** One attempt of a delivery, the same for every kind of subscription; each surface of the API has its own names for it. */
export interface Attempt {
  /** Among the attempts of the delivery, from 1. */
  readonly number: number
  readonly startedAt: string
  readonly durationMs: number | null
  readonly outcome: 'delivered' | 'retry' | 'failed' | 'unknown'
  /** Why it ended as it did, in a word of the API. */
  readonly reason: string | null
  readonly detail: string | null
  readonly requestHeaders: Headers | null
  /** HTTP status of the answer. */
  readonly status: number | null
  readonly responseHeaders: Headers | null
  readonly responseBody: string | null
  /** The IP address that was connected to. */
  readonly address: string | null
  readonly timing: Timing
}

export type Headers = Readonly<Record<string, string>>

/** Milliseconds of each phase; null where there was none. */
export interface Timing {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly firstByte: number | null
}
