import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Status, type Outcome } from '#ui/status.tsx'
import { healthOf, type Flow } from './flow-queries.ts'

const outcomes: Record<string, Outcome> = { healthy: 'ok', failing: 'wait', probing: 'wait', disabled: 'bad' }

/** How the target of a flow is doing; an inbound flow has none. */
export const FlowHealth = ({ flow }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
  const isOutbound = flow.direction === 'outbound'
  const { data } = useQuery({ ...healthOf(flow.id), enabled: isOutbound })
  if (!isOutbound) return <span className="muted">–</span>
  if (!flow.is_active && flow.disabled_reason === null) return <Status outcome="idle">{t('health.off')}</Status>
  if (data === undefined) return <span className="muted">…</span>
  return <Status outcome={outcomes[data.health] ?? 'idle'}>{t(`health.${data.health}`)}</Status>
}
