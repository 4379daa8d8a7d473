import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Page } from '#ui/page.tsx'
import type { AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { SettingRow } from './setting-row.tsx'
import { settingNames } from './settings.ts'
import classes from './settings.module.css'

const settings = recordOf('/api/v1/settings')

export const asks = (): readonly AnyQuery[] => [settings]

/** What can be changed while the server runs. */
export const SettingsScreen = () => {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = useQuery(settings)
  return (
    <Page title={t('title')} about={t('about')} request={{ url: '/api/v1/settings' }}>
      {error !== null && data === undefined && <Failed error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={18} width="100%" />}
      {data !== undefined && (
        <div className={classes['settings']}>
          {settingNames.map((name) => (
            <SettingRow key={`${name} ${JSON.stringify(data[name])}`} name={name} settings={data} />
          ))}
        </div>
      )}
    </Page>
  )
}
