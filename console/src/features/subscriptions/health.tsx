import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Status, type Outcome } from '#ui/status.tsx'

type Facts = Pick<Schema<'Subscription'>, 'health' | 'is_active' | 'disabled_reason'>

/** How a receiver is doing, in a word: what the server switched off is told apart from what somebody paused. */
export type HealthWord = 'healthy' | 'failing' | 'probing' | 'disabled' | 'gone' | 'off'

export const healthWord = ({ health, is_active: isActive, disabled_reason: reason }: Facts): HealthWord => {
  if (health === 'probing') return 'probing'
  if (reason === 'gone') return 'gone'
  if (health === 'disabled') return reason === null ? 'off' : 'disabled'
  return isActive ? health : 'off'
}

const outcomes: Readonly<Record<HealthWord, Outcome>> = {
  healthy: 'ok',
  failing: 'wait',
  probing: 'wait',
  disabled: 'bad',
  gone: 'bad',
  off: 'idle',
}

/** The health of a receiver as shape, word and colour. */
export const Health = ({ of }: { readonly of: Facts }) => {
  const { t } = useTranslation('subscriptions')
  const word = healthWord(of)
  return <Status outcome={outcomes[word]}>{t(`health.${word}`)}</Status>
}
