import { expect, test } from 'vitest'
import { wordsFor } from './reason-words.ts'

test.each([
  ['timeout', null, 'the receiver did not answer in time', /15 s/],
  ['dns_error', 'ENOTFOUND shop.test', 'the name of the receiver could not be resolved', /DNS/],
  ['connection_error', null, 'no connection to the receiver, or it broke', /firewall/],
  ['tls_error', null, 'the certificate or the TLS handshake of the receiver was not accepted', /certificate/],
  ['protocol_error', null, 'the receiver did not answer in the protocol of its URL', /port/],
  ['broker_refused', null, 'the broker refused the message', /this account may publish/],
  ['address_refused', null, 'the address of the receiver is one that deliveries may not go to', /ALLOWED_NETWORKS/],
  ['sign_in_failed', null, 'signing in at the receiver failed', /credential/],
  ['http_302', null, 'the receiver answered 302', /Redirects/],
  ['http_401', null, 'the receiver answered 401', /credential/],
  ['http_404', null, 'the receiver answered 404', /path/],
  ['http_418', null, 'the receiver answered 418', /refuses/],
  ['http_429', null, 'the receiver answered 429', /rate limit/],
  ['http_503', null, 'the receiver answered 503', /failed/],
])('%s is put into words, with what to do', (reason, detail, what, advice) => {
  const words = wordsFor({ reason, detail })
  expect(words.what).toBe(what)
  expect(words.advice).toMatch(advice)
})

test.each([
  ['delivered', 'the receiver accepted it'],
  ['aborted', 'this server was stopped during the attempt'],
  ['process_lost', 'the process died during the attempt, so it may have arrived'],
  ['something new', 'something new'],
  ['constructor', 'constructor'],
  ['http_999', 'the receiver answered 999'],
  [null, 'nothing is known of it'],
])('%s is put into words where there is nothing to do', (reason, what) => {
  expect(wordsFor({ reason })).toEqual({ what, more: '', advice: null })
})

test.each([
  ['no answer in 15 s', ' No answer in 15 s.'],
  ['The connection was refused (connect ECONNREFUSED).', ' The connection was refused (connect ECONNREFUSED).'],
  [null, ''],
])('what the log has besides (%s) is a sentence of its own', (detail, more) => {
  expect(wordsFor({ reason: 'connection_error', detail }).more).toBe(more)
})
