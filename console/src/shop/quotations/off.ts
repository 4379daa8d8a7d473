import { useTranslation } from 'react-i18next'
import type { Detail } from './queries.ts'

type Action = Detail['allowed_actions'][number]

/** Statuses whose reason the shop has words for; for all others it says what the API says. */
const worded: ReadonlySet<string> = new Set([
  'approve request_approval',
  'approve pending',
  'approve draft',
  'cancel approved',
  'reject approved',
  ...['approve', 'cancel', 'reject', 'comment', 'approve-pending-request'].flatMap((action) =>
    ['rejected', 'cancelled', 'expired'].map((status) => `${action} ${status}`),
  ),
])

/** Says why an action is not allowed now and who may; undefined while it is. */
export const useOff = ({ status, allowed_actions: allowed, blocked_actions: blocked }: Detail) => {
  const { t } = useTranslation('shop')
  return (action: Action): string | undefined => {
    if (allowed.includes(action)) return undefined
    const said = (blocked as Readonly<Record<string, string>>)[action]
    if (!worded.has(`${action} ${status}`)) return said ?? t('off.not_yours')
    if (status === 'rejected' || status === 'cancelled' || status === 'expired') return t(`off.${status}`)
    return action === 'approve' ? t(`off.approve_${status}`) : t('off.orders_exist')
  }
}
