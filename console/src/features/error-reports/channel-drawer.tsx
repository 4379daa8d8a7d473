import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { JsonView } from '#ui/json-view.tsx'
import { Link } from '#ui/link.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { ChannelMappings } from './channel-mappings.tsx'
import { CatalogName } from './channels-screen.tsx'

const channelOf = (id: number) => recordOf('/api/v1/channels/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [channelOf(Number(params['id']))]

/** One channel: its catalogue, its settings, and the way to what fails in it. */
export const ChannelDrawer = () => {
  const { t } = useTranslation('error-reports')
  const { data: channel, error } = useQuery(channelOf(useIdParam()))
  return (
    <Drawer
      closeTo="/channels"
      ident={channel !== undefined && <Ident id={channel.id} />}
      title={channel?.name}
      about={channel === undefined ? undefined : t(channel.is_active ? 'channels.is_on' : 'channels.is_off')}
      error={error}
    >
      {channel !== undefined && (
        <>
          <dl className="facts">
            <dt>{t('filter.catalog')}</dt>
            <dd>
              <CatalogName id={channel.catalog} />
            </dd>
            <dt>{t('title')}</dt>
            <dd>
              <Link to={`/error_report_groups?channel=${channel.id}`}>{t('channels.errors')}</Link>
            </dd>
            <dt>{t('channels.since')}</dt>
            <dd>
              <Time at={channel.created_date} as="moment" />
            </dd>
          </dl>
          <ChannelMappings channel={channel.id} />
          <h3>{t('channels.settings')}</h3>
          <JsonView text={JSON.stringify(channel.conf)} label={t('channels.settings')} />
        </>
      )}
    </Drawer>
  )
}
