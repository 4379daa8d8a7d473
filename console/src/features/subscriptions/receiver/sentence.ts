import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import { formatMoment, formatNumber } from '#ui/texts/format.ts'
import { healthWord, type HealthWord } from '../health.tsx'

export type ReceiverHealth = Schema<'WebhookHealth'>
export type Activity = Schema<'WebhookActivity'>
export type HealthChange = Schema<'WebhookHealthChange'>

export const wordOf = ({ health, active, disabledReason }: ReceiverHealth): HealthWord =>
  healthWord({ health, is_active: active, disabled_reason: disabledReason })

/** How a receiver is doing, as a sentence. @param t texts of `subscriptions` */
export const sentenceOf = (health: ReceiverHealth, day: Activity | undefined, t: TFunction): string => {
  const word = wordOf(health)
  if (word === 'healthy') return healthySentence(day, t)
  if (word === 'failing') return t('sentence.failing', { count: health.failures, since: moment(health.failingSince) })
  return t(`sentence.${word}`, { at: moment(health.disabledAt) })
}

const healthySentence = (day: Activity | undefined, t: TFunction): string => {
  if (day === undefined) return t('sentence.well')
  const { delivered, failed } = day.total
  if (delivered + failed === 0) return t('sentence.quiet')
  return t('sentence.healthy', { delivered: formatNumber(delivered), all: formatNumber(delivered + failed) })
}

const moment = (at: string | null): string => (at === null ? '–' : formatMoment(new Date(at)))

/**
 * Since when a receiver may have missed something: when it began to fail, or was switched off; the last day where neither
 * is known. A minute before, because what failed first was raised before its attempt had ended.
 */
export const missedSince = ({ failingSince, disabledAt }: ReceiverHealth, now: Date): string => {
  const known = failingSince ?? disabledAt
  return new Date(known === null ? now.getTime() - dayMs : Date.parse(known) - minuteMs).toISOString()
}

const minuteMs = 60_000
const dayMs = 86_400_000
