import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import { endingPhrase } from '#ui/delivery/ending.ts'
import { stageOf } from './outcome.ts'

type Detail = Schema<'HookEventDetail'>

/** The first line: what became of it, as a sentence. @param t texts of `deliveries` @param common texts of `delivery` */
export const sentenceOf = (delivery: Detail, t: TFunction, common: TFunction): string => {
  const stage = stageOf(delivery)
  const count = delivery.attempts.length
  if (stage === 'delivered') return t('sentence.delivered', { count: delivery.attempts.length })
  if (stage === 'held') return t('sentence.held')
  if (stage === 'waiting') return t('sentence.waiting')
  if (stage === 'cancelled') return t(delivery.reason === 'dropped' ? 'sentence.dropped' : 'sentence.cancelled')
  if (count === 0) return t('sentence.pending')
  return failureOf(delivery, t, common)
}

const failureOf = (
  { attempts, reason, response_http_status: status }: Detail,
  t: TFunction,
  common: TFunction,
): string => {
  const phrase = endingPhrase({ reason, status }, common)
  const isAlways = attempts.every((attempt) => attempt.reason === reason && attempt.response_http_status === status)
  const count = attempts.length
  if (count === 1) return t('sentence.once', { phrase })
  return isAlways ? t('sentence.always', { phrase, count }) : t('sentence.last', { phrase, count })
}
