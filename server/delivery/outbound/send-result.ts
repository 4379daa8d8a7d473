/** What came of a request. Never thrown: each of these is an expected end of a request to somebody else's machine. */
export interface SendResult {
  /**
   * `response`: an HTTP answer came in time; `accepted`, `broker_refused`: a broker confirmed the message, or said why not.
   * Otherwise what prevented it.
   */
  readonly reason:
    | 'response'
    | 'accepted'
    | 'broker_refused'
    | 'not_started'
    | 'aborted'
    | 'timeout'
    | 'address_refused'
    | 'dns_error'
    | 'connection_error'
    | 'tls_error'
    | 'protocol_error'
    | 'sign_in_failed'
  /** More about the reason, for people. */
  readonly detail: string
  /** Status, headers and body of an HTTP answer; null when none came. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  /** What was read of the body, as text: at most 64 KiB. */
  readonly body: string | null
  /** From having a connection to use, or beginning to make one, to the last byte read. */
  readonly durationMs: number
  readonly timing: Timing
  /** The IP address that was connected to, or tried last; null when it did not come to that. */
  readonly address: string | null
}

/**
 * The phases of an exchange in order, in whole ms. The first three are null when a connection was there
 * already, and when the exchange did not get so far; one that failed or was given up counts until then.
 */
export interface Timing {
  /** Look-up of the name; null for an address, which needs none. */
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  /** From having the connection to the first byte of the answer; null when none came. */
  readonly firstByteMs: number | null
}

export const noTiming: Timing = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

/** A request that did not leave this process. */
export const unsent = (reason: SendResult['reason'], detail: string): SendResult => ({
  reason,
  detail,
  status: null,
  headers: null,
  body: null,
  durationMs: 0,
  timing: noTiming,
  address: null,
})
