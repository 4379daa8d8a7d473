import type { Schema } from '#api/types.ts'
import { messageOf } from './message.ts'

/** Kinds of causes, by which the screen says what mends them. */
export type Cause =
  | 'place'
  | 'login'
  | 'missing'
  | 'conflict'
  | 'data'
  | 'size'
  | 'pace'
  | 'theirs'
  | 'address'
  | 'unknown'

const byStatus: readonly (readonly [RegExp, Cause])[] = [
  [/^40[13]$/, 'login'],
  [/^40[4-5]$|^410$/, 'missing'],
  [/^409$/, 'conflict'],
  [/^413$/, 'size'],
  [/^429$/, 'pace'],
  [/^4\d\d$/, 'data'],
  [/^5\d\d$/, 'theirs'],
]

const byCode: readonly (readonly [RegExp, Cause])[] = [
  [/unauthori[sz]ed|forbidden|token|sign_in|credential/i, 'login'],
  [/time.?out|connection_error|unavailable|aborted|process_lost|protocol_error/i, 'theirs'],
  [/dns_error|tls_error|address_refused/i, 'address'],
  [/rate|too_many/i, 'pace'],
]

type Facts = Pick<Schema<'ErrorReport'>, 'error_code' | 'error_desc' | 'raw_response'>

/** What sort of cause a failure has, by the status of the answer, else by the words of its code. */
export const causeOf = (report: Facts, isPlace: boolean): Cause => {
  if (isPlace) return 'place'
  const status = /^http_(\d{3})$/.exec(report.error_code)?.[1] ?? messageOf(report.raw_response ?? '').status
  const known = byStatus.find(([pattern]) => status !== undefined && pattern.test(String(status)))
  const words = `${report.error_code} ${report.error_desc.slice(0, 200)}`
  return known?.[1] ?? byCode.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}
