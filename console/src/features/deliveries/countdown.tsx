import { useTranslation } from 'react-i18next'
import { useNow } from '#ui/now.ts'
import { Time } from '#ui/time.tsx'
import type { Delivery } from './outcome.ts'

/** When a delivery is tried next, as a distance that counts down; "now" when that is past. */
export const Countdown = ({
  delivery,
}: {
  readonly delivery: Pick<Delivery, 'next_attempt_at' | 'status' | 'webhook'>
}) => {
  const { t } = useTranslation('deliveries')
  const now = useNow()
  const { next_attempt_at: at, status, webhook } = delivery
  if (status !== 'pending' || at === null) return <span className="muted">–</span>
  if (!webhook.is_active) return <span className="muted">{t('next.hook_off')}</span>
  if (new Date(at) <= now) return <span className="muted">{t('next.due')}</span>
  return <Time at={at} />
}
