import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { isBackOffice, useMe } from '#api/session.ts'
import { Page } from '#ui/page.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Activity } from './activity.tsx'
import { Needs } from './needs.tsx'
import { Setup } from './setup/setup.tsx'
import classes from './home.module.css'

const overview = recordOf('/api/v1/overview')

/** What needs whoever looks, and how the last day went. */
export const HomeScreen = () => {
  const { t } = useTranslation('home')
  const me = useMe()
  if (!isBackOffice(me))
    return (
      <Page title={t('title')} about={me.email}>
        <p>{t('elsewhere')}</p>
      </Page>
    )
  return <Overview />
}

const Overview = () => {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useQuery(overview)
  const waiting = data?.needs_you.filter(({ count }) => count > 0) ?? []
  const title = { 0: t('nothing') }[waiting.length] ?? t('needs_you', { count: waiting.length })
  return (
    <Page title={data === undefined ? t('title') : title} request={{ url: '/api/v1/overview' }}>
      {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={14} width="100%" />}
      {data !== undefined && (
        <div className={classes['home']}>
          <Setup setup={data.setup} />
          <Needs needs={waiting} />
          {data.deliveries_24h !== undefined && <Activity activity={data.deliveries_24h} />}
        </div>
      )}
    </Page>
  )
}
