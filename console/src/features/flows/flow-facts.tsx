import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { FlowHealth } from './flow-health.tsx'
import { FlowSecret } from './flow-secret.tsx'
import { healthOf, type Flow } from './flow-queries.ts'

/** How the target of a flow is doing, and what signs the data. */
export const FlowFacts = ({ flow }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
  const { data: health } = useQuery({ ...healthOf(flow.id), enabled: flow.direction === 'outbound' })
  if (flow.direction === 'inbound') return null
  const headers = Object.entries(flow.headers)
  return (
    <dl className="facts">
      <dt>{t('field.health')}</dt>
      <dd>
        <FlowHealth flow={flow} />{' '}
        {flow.disabled_reason !== null && <span className="muted">{t(`disabled.${flow.disabled_reason}`)}</span>}
      </dd>
      {health !== undefined && (
        <>
          <dt>{t('field.last_success_at')}</dt>
          <dd>
            <Time at={health.last_success_at} />
          </dd>
          {health.last_failure_at !== null && (
            <>
              <dt>{t('field.last_failure_at')}</dt>
              <dd>
                <Time at={health.last_failure_at} /> {t('failures', { count: health.failures })}
              </dd>
            </>
          )}
          <dt>{t('field.pending')}</dt>
          <dd>{t('pending', { pending: formatNumber(health.pending), failed: formatNumber(health.failed_24h) })}</dd>
        </>
      )}
      {headers.length > 0 && (
        <>
          <dt>{t('field.headers')}</dt>
          <dd className="mono">{headers.map(([name, value]) => `${name}: ${value}`).join(', ')}</dd>
        </>
      )}
      <dt>{t('field.secret')}</dt>
      <dd>
        <FlowSecret id={flow.id} />
      </dd>
    </dl>
  )
}
