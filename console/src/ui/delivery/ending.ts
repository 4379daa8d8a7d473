import type { TFunction } from 'i18next'

/** How an attempt ended, as the log has it. */
export interface Ending {
  readonly reason: string | null
  /** HTTP status of the answer. */
  readonly status: number | null
}

/** Why there is no answer, or one that does not count, by the names that the API has for it. */
export const reasons: readonly string[] = [
  'timeout',
  'dns_error',
  'connection_error',
  'tls_error',
  'protocol_error',
  'broker_refused',
  'address_refused',
  'sign_in_failed',
  'aborted',
  'process_lost',
  'unsubscribed',
  'dropped',
]

/** In a word, for a pill: the HTTP status, or what happened instead of an answer. @param t texts of `delivery` */
export const endingWord = ({ reason, status }: Ending, t: TFunction): string => {
  if (reason !== null && reasons.includes(reason)) return t(`word.${reason}`)
  if (reason === 'delivered' && status === null) return t('word.confirmed')
  return status === null ? (reason ?? '') : String(status)
}

/** As what the endpoint did: "answered 503", "did not answer in time". @param t texts of `delivery` */
export const endingPhrase = ({ reason, status }: Ending, t: TFunction): string => {
  if (reason !== null && reasons.includes(reason)) return t(`phrase.${reason}`)
  // A broker confirms a message without a status.
  if (reason === 'delivered' && status === null) return t('phrase.confirmed')
  return status === null ? t('phrase.unknown') : t('phrase.answered', { status })
}
