import { AddressRefused } from './guard/guarded-lookup.ts'
import type { SendResult } from './send-result.ts'

export interface Failure {
  readonly reason: SendResult['reason']
  /** A sentence for people. */
  readonly detail: string
}

/** Error codes of sockets, resolver, TLS and HTTP parser → what they mean to an operator. The first match counts. */
const failures: readonly (readonly [code: RegExp, reason: SendResult['reason'], sentence: string])[] = [
  [/^DNS_TIMEOUT/, 'dns_error', 'The name was not resolved in time'],
  [/^(ENOTFOUND|ENODATA|DNS_NO_ADDRESS)/, 'dns_error', 'The name has no address'],
  [/^(EAI_|DNS_|ESERVFAIL|EREFUSED|ETIMEOUT|EBADRESP)/, 'dns_error', 'The name could not be resolved'],
  [/^CERT_HAS_EXPIRED/, 'tls_error', 'The certificate has expired'],
  [/^CERT_NOT_YET_VALID/, 'tls_error', 'The certificate is not valid yet'],
  [/SELF_SIGNED/, 'tls_error', 'The certificate is signed by nobody that is trusted here'],
  [/^UNABLE_TO/, 'tls_error', 'Who signed the certificate is not known; an intermediate certificate may be missing'],
  [/^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/, 'tls_error', 'The certificate is for another name'],
  [/^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/, 'tls_error', 'The receiver does not speak TLS on this port'],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|INVALID_|PATH_LENGTH|ERROR_IN_)/,
    'tls_error',
    'No secure connection could be made',
  ],
  [/^UND_ERR_(INVALID|NOT_SUPPORTED)/, 'protocol_error', 'The request cannot be written as HTTP'],
  [/^UND_ERR_HEADERS_OVERFLOW/, 'protocol_error', 'The head of the answer is too large'],
  [/^(HPE_|UND_ERR_RES_CONTENT|ERR_ASSERTION)/, 'protocol_error', 'The answer is not HTTP'],
  [/TIMEOUT|ETIMEDOUT/, 'timeout', 'The receiver could not be connected to in time'],
  [/^ECONNREFUSED/, 'connection_error', 'The connection was refused'],
  [/^E(HOST|NET)(UNREACH|DOWN)/, 'connection_error', 'There is no way to the address'],
]

const broken = ['connection_error', 'The connection broke'] as const

/** What an error of the HTTP client means. */
export const failureOf = (error: Error): Failure => {
  // Says all that a subscriber may know.
  if (error instanceof AddressRefused) return { reason: 'address_refused', detail: `${error.message}.` }
  const [reason, sentence] = meaningOf(error)
  return { reason, detail: `${sentence} (${messageOf(error)}).` }
}

const meaningOf = (error: Error): readonly [SendResult['reason'], string] => {
  // The client's parser names a code for few of its errors.
  if (error.name === 'HTTPParserError') return ['protocol_error', 'The answer is not HTTP']
  const code = 'code' in error ? String(error.code) : ''
  const found = failures.find(([pattern]) => pattern.test(code))
  return found === undefined ? broken : [found[1], found[2]]
}

/** One line. An error for several addresses has no message of its own, and one of TLS has a better one. */
const messageOf = (error: Error): string => {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  const { message, name } = error.message === '' && inner instanceof Error ? inner : error
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : ''
  const text = [reason, message, name].find((one) => one !== '') ?? ''
  return text
    .replace(/\s+/g, ' ')
    .replace(/[. ]+$/, '')
    .slice(0, 500)
}
