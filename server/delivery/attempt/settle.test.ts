import { describe, expect, test } from 'vitest'
import type { RetryStrategy } from '../subscriber/retry.ts'
import type { SendResult } from '../outbound/sender.ts'
import { retryAfter, settle, type SettleInput, type Settlement } from './settle.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
const fixed: RetryStrategy = { choice: 'fixed', kwargs: { seconds: 60 } }

const result = (fields: Partial<SendResult>): SendResult => ({
  reason: 'response',
  detail: '',
  status: null,
  headers: null,
  body: null,
  durationMs: 1,
  timing: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
  address: null,
  ...fields,
})
const answered = (status: number, retryAfterHeader?: string): SendResult =>
  result({ status, headers: retryAfterHeader === undefined ? {} : { 'retry-after': retryAfterHeader } })
const broken = (reason: SendResult['reason'], fields: Partial<SendResult> = {}): SendResult =>
  result({ reason, ...fields })

const settled = (of: SendResult, input: Partial<SettleInput> = {}): Settlement =>
  settle({
    result: of,
    attempt: 1,
    before: 'pending',
    maxAttempts: 18,
    strategy: fixed,
    now,
    random: () => 0,
    ...input,
  })

const quiet = { retryWaitMs: 60_000, holdUntil: null, disable: false }
const delivered = {
  status: 'delivered',
  outcome: 'delivered',
  reason: 'delivered',
  nextAttemptAt: null,
  ...quiet,
  retryWaitMs: 0,
}
const retry = (reason: string, seconds = 60) => ({
  status: 'pending',
  outcome: 'retry',
  reason,
  nextAttemptAt: after(seconds),
  ...quiet,
})
const failed = (reason: string) => ({ status: 'failed', outcome: 'failed', reason, nextAttemptAt: null, ...quiet })
const last: Partial<SettleInput> = { attempt: 18 }

describe('what becomes of a delivery', () => {
  test.each<[string, SendResult, Partial<SettleInput>, object]>([
    ['200', answered(200), {}, delivered],
    ['201', answered(201), {}, delivered],
    ['204', answered(204), {}, delivered],
    ['299', answered(299), {}, delivered],
    ['200 on the last attempt', answered(200), last, delivered],
    ['200 of a manual attempt of a failed one', answered(200), { before: 'failed' }, delivered],
    ['300', answered(300), {}, retry('http_300')],
    ['301', answered(301), {}, retry('http_301')],
    ['304', answered(304), {}, retry('http_304')],
    ['307', answered(307), {}, retry('http_307')],
    ['400', answered(400), {}, retry('http_400')],
    ['401', answered(401), {}, retry('http_401')],
    ['404', answered(404), {}, retry('http_404')],
    ['409', answered(409), {}, retry('http_409')],
    ['500', answered(500), {}, retry('http_500')],
    ['599', answered(599), {}, retry('http_599')],
    ['999', answered(999), {}, retry('http_999')],
    ['timeout', broken('timeout'), {}, retry('timeout')],
    ['timeout in the body of a 200', broken('timeout', { status: 200 }), {}, retry('timeout')],
    [
      'connection broken in the body of a 200',
      broken('connection_error', { status: 200 }),
      {},
      retry('connection_error'),
    ],
    ['address_refused', broken('address_refused'), {}, retry('address_refused')],
    ['dns_error', broken('dns_error'), {}, retry('dns_error')],
    ['connection_error', broken('connection_error'), {}, retry('connection_error')],
    ['tls_error', broken('tls_error'), {}, retry('tls_error')],
    ['protocol_error', broken('protocol_error'), {}, retry('protocol_error')],
    ['sign_in_failed', broken('sign_in_failed'), {}, retry('sign_in_failed')],
    ['broker_refused', broken('broker_refused'), {}, retry('broker_refused')],
    ['broker_refused on the last attempt', broken('broker_refused'), last, failed('broker_refused')],
    ['confirmed by a broker', broken('accepted'), {}, delivered],
    ['confirmed by a broker on the last attempt', broken('accepted'), last, delivered],
    ['500 on the last attempt but one', answered(500), { attempt: 17 }, retry('http_500')],
    ['500 on the last attempt', answered(500), last, failed('http_500')],
    ['500 beyond the last attempt', answered(500), { attempt: 19 }, failed('http_500')],
    ['500 when one attempt is all there is', answered(500), { maxAttempts: 1 }, failed('http_500')],
    ['timeout on the last attempt', broken('timeout'), last, failed('timeout')],
    ['410', answered(410), {}, { ...failed('http_410'), disable: true }],
    ['410 on the last attempt', answered(410), last, { ...failed('http_410'), disable: true }],
    ['410 whose body never ended', broken('timeout', { status: 410 }), {}, { ...failed('timeout'), disable: true }],
    ['429', answered(429, '120'), {}, { ...retry('http_429', 120), holdUntil: after(120) }],
    ['503', answered(503, '120'), {}, { ...retry('http_503', 120), holdUntil: after(120) }],
    [
      '503 that asks for less than the strategy',
      answered(503, '5'),
      {},
      { ...retry('http_503', 60), holdUntil: after(5) },
    ],
    ['503 on the last attempt', answered(503, '120'), last, { ...failed('http_503'), holdUntil: after(120) }],
    ['503 without Retry-After', answered(503), {}, retry('http_503')],
    ['500 with Retry-After, which counts only for 429 and 503', answered(500, '120'), {}, retry('http_500')],
    ['200 with Retry-After', answered(200, '120'), {}, delivered],
    ['aborted', broken('aborted'), {}, { ...retry('aborted', 0), outcome: 'unknown', retryWaitMs: 0 }],
    [
      'aborted on the last attempt',
      broken('aborted'),
      last,
      { ...retry('aborted', 0), outcome: 'unknown', retryWaitMs: 0 },
    ],
    [
      'aborted, manual',
      broken('aborted'),
      { before: 'failed' },
      { ...failed('aborted'), outcome: 'unknown', retryWaitMs: 0 },
    ],
    [
      '500, manual, of a delivered one',
      answered(500),
      { before: 'delivered' },
      { ...failed('http_500'), status: 'delivered' },
    ],
    ['500, manual, of a failed one', answered(500), { before: 'failed' }, failed('http_500')],
    [
      '500, manual, of a cancelled one',
      answered(500),
      { before: 'cancelled' },
      { ...failed('http_500'), status: 'cancelled' },
    ],
    ['410, manual', answered(410), { before: 'failed' }, { ...failed('http_410'), disable: true }],
  ])('%s', (_, of, input, expected) => {
    expect(settled(of, input)).toEqual(expected)
  })

  test('each retry waits as the strategy says for its number', () => {
    const strategy: RetryStrategy = { choice: 'exponential', kwargs: { base: 2, factor: 15 } }
    const waits = [1, 2, 3, 4].map((attempt) => settled(answered(500), { attempt, strategy }).nextAttemptAt)
    expect(waits).toEqual([after(30), after(60), after(120), after(240)])
  })
})

describe('Retry-After', () => {
  const sixHours = after(6 * 3_600)
  test.each<[string | undefined, Date | null]>([
    [undefined, null],
    ['', null],
    ['0', null],
    ['1', after(1)],
    [' 30 ', after(30)],
    ['21600', sixHours],
    ['21601', sixHours],
    ['99999999999999999999999999', sixHours],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['0x10', null],
    ['10, 20', null],
    ['soon', null],
    ['Sat, 21 Nov 2026 09:31:00 GMT', after(60)],
    ['Sat, 21 Nov 2026 09:29:59 GMT', null],
    ['Sat, 21 Nov 2026 09:30:00 GMT', null],
    ['Sun, 22 Nov 2026 09:30:00 GMT', sixHours],
    ['Saturday, 21-Nov-26 09:31:00 GMT', after(60)],
    ['Sat Nov 21 09:31:00 2026', after(60)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', null],
  ])('%j', (value, expected) => {
    expect(retryAfter(value, now)).toEqual(expected)
  })
})
