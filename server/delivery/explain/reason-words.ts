/** Why an attempt failed, in words for whoever looks after the receiver, and what they can do. */
export interface ReasonWords {
  /** Goes on after "Attempt 3 failed: ", without a full stop. */
  readonly what: string
  /** Sentences that follow, with a space before them; empty when there is no more to say. */
  readonly more: string
  readonly advice: string | null
}

/** What the log has of how an attempt ended. */
export interface Ending {
  /** One word, such as `http_404` or `timeout`. */
  readonly reason: string | null
  /** More about it. */
  readonly detail?: string | null
}

export const wordsFor = ({ reason, detail = null }: Ending): ReasonWords => {
  const status = /^http_(\d{3})$/.exec(reason ?? '')?.[1]
  const { what, advice } = status === undefined ? wordsOf(reason) : wordsOfStatus(Number(status))
  return { what, more: detail === null ? '' : ` ${asSentence(detail)}`, advice }
}

const asSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

type Said = Omit<ReasonWords, 'more'>

const wordsOf = (reason: string | null): Said =>
  reason !== null && Object.hasOwn(reasons, reason)
    ? reasons[reason as keyof typeof reasons]
    : { what: reason ?? 'nothing is known of it', advice: null }

const reasons = {
  delivered: { what: 'the receiver accepted it', advice: null },
  timeout: {
    what: 'the receiver did not answer in time',
    advice:
      'Answer within 15 s: store what arrives, answer 200, and do the work afterwards. A broker that does not confirm is overloaded, or has no majority.',
  },
  dns_error: {
    what: 'the name of the receiver could not be resolved',
    advice: 'Check the host in the URL, and the DNS records of that name.',
  },
  connection_error: {
    what: 'no connection to the receiver, or it broke',
    advice: 'Check that the receiver is running, listens on this port, and lets this server through its firewall.',
  },
  tls_error: {
    what: 'the certificate or the TLS handshake of the receiver was not accepted',
    advice:
      'Renew or complete the certificate: it must be valid for this host, and sent with its intermediate certificates.',
  },
  protocol_error: {
    what: 'the receiver did not answer in the protocol of its URL',
    advice:
      'Check that port and scheme of the URL are those of the receiver: http or https of a web server, those of a broker of that broker.',
  },
  broker_refused: {
    what: 'the broker refused the message',
    advice:
      'Check in the broker that what the URL names exists and that this account may publish to it, and look at its limits.',
  },
  address_refused: {
    what: 'the address of the receiver is one that deliveries may not go to',
    advice: 'Use a public address, or have its network opened with ALLOWED_NETWORKS.',
  },
  sign_in_failed: {
    what: 'signing in at the receiver failed',
    advice:
      'Check user name and password of the credential; where a token is fetched, also its URL, and the field that its answer keeps the token in.',
  },
  aborted: { what: 'this server was stopped during the attempt', advice: null },
  process_lost: { what: 'the process died during the attempt, so it may have arrived', advice: null },
  dropped: { what: 'somebody dropped it', advice: null },
  unsubscribed: { what: 'the subscription was removed', advice: null },
} as const satisfies Record<string, Said>

/** Statuses that say something of their own, and what the others of their hundred mean. */
const statuses: Readonly<Record<number, string>> = {
  401: 'The receiver asks for a credential: check the one of this subscription, and the signing secret.',
  403: 'The receiver does not let this server in: check the credential, the signing secret, and its firewall.',
  404: 'The receiver has nothing at this URL: check its path.',
  405: 'The receiver does not take POST at this URL: check its path.',
  408: 'The receiver waited too long for the request: look whether it is overloaded.',
  410: 'The receiver says that it is gone for good. Switch the subscription on again if it is not.',
  413: 'The receiver does not take bodies of this size: raise its limit.',
  415: 'The receiver does not take application/json.',
  429: 'The receiver gets more than it takes: send it less (a hook can have a rate limit).',
}
const hundreds: Readonly<Record<number, string>> = {
  1: 'The receiver answered something that ends no exchange.',
  3: 'Redirects are not followed: subscribe the address that it points to.',
  4: 'The receiver refuses this delivery: its answer, and its log, say why.',
  5: 'The receiver failed: its log says why.',
}

const wordsOfStatus = (status: number): Said => ({
  what: `the receiver answered ${status}`,
  advice: statuses[status] ?? hundreds[Math.floor(status / 100)] ?? null,
})
