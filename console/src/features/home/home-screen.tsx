import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { isBackOffice, useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'
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
  return <BackOfficeHome />
}

const BackOfficeHome = () => {
  const { data, error, refetch } = useQuery(overview)
  const title = useTitle(data)
  return (
    <Page title={title} request={{ url: '/api/v1/overview' }}>
      {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={14} width="100%" />}
      {data !== undefined && <Facts overview={data} />}
    </Page>
  )
}

type Overview = Schema<'Overview'>

const waitingOf = ({ needs_you: needs }: Overview) => needs.filter(({ count }) => count > 0)

const useTitle = (data: Overview | undefined): string => {
  const { t } = useTranslation('home')
  if (data === undefined) return t('title')
  const { length: count } = waitingOf(data)
  if (count > 0) return t('needs_you', { count })
  return data.setup.has_delivered_event ? t('nothing') : t('setup.first')
}

/** A new installation has nothing to show but the way to its first event. */
const Facts = ({ overview: data }: { readonly overview: Overview }) => {
  const waiting = waitingOf(data)
  const isNew = !data.setup.has_delivered_event
  return (
    <div className={classes['home']}>
      <Setup setup={data.setup} />
      {(!isNew || waiting.length > 0) && <Needs needs={waiting} />}
      {data.deliveries_24h !== undefined && !isNew && <Activity activity={data.deliveries_24h} />}
    </div>
  )
}
