import { useTranslation } from 'react-i18next'
import type { Detail } from './queries.ts'

type Action = Detail['allowed_actions'][number]
type Statuses = ReadonlySet<Detail['status']>

/** In these nothing is decided any more. */
export const settled: Statuses = new Set(['approved', 'rejected', 'cancelled', 'expired'])

/** In these somebody else acts first, before an owner can approve: the shop says who. All else is said by the API. */
const early: Statuses = new Set(['request_approval', 'pending', 'draft'])

/** Says why an action is not allowed now and who may; undefined while it is. */
export const useOff = ({ status, allowed_actions: allowed, blocked_actions: blocked }: Detail) => {
  const { t } = useTranslation('shop')
  return (action: Action): string | undefined => {
    if (allowed.includes(action)) return undefined
    if (action === 'approve' && early.has(status)) return t(`off.approve_${status}`)
    return (blocked as Readonly<Record<string, string>>)[action] ?? t('off.not_yours')
  }
}
