import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { mappingsOf, useChangeMappings, type Mapping } from './place-mappings.ts'
import { useUndoKey } from './undo.ts'

/** What the places that a channel names are here, the newest first. */
export const ChannelMappings = ({ channel }: { readonly channel: number }) => {
  const { t } = useTranslation('error-reports')
  const { data, error } = useQuery(mappingsOf({ channel }))
  useUndoKey()
  return (
    <>
      <h3>{t('channels.mappings')}</h3>
      {error !== null && <Failed error={error} />}
      {data === undefined && error === null && <Skeleton lines={4} width="100%" />}
      {data?.rows.length === 0 && <p className="muted">{t('channels.no_mappings')}</p>}
      {data !== undefined && data.rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{t('channels.remote')}</th>
              <th>{t('channels.means')}</th>
              <th className="wide">{t('channels.mapped_at')}</th>
              <th>
                <span className="visually-hidden">{t('mapping.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((mapping) => (
              <Row key={mapping.id} mapping={mapping} />
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.total > data.rows.length && (
        <p className="small muted">{t('channels.more_mappings', { shown: data.rows.length, count: data.total })}</p>
      )}
    </>
  )
}

const Row = ({ mapping }: { readonly mapping: Mapping }) => {
  const { t } = useTranslation('error-reports')
  const { remove, isPending } = useChangeMappings()
  return (
    <tr>
      <td>
        {t(`place_is.${mapping.type}`)} <code>{mapping.remote_code}</code>
      </td>
      <td>
        {mapping.local_name} {mapping.local_id !== null && <code className="muted">{mapping.local_id}</code>}
      </td>
      <td className="wide muted">
        <Time at={mapping.created_date} />
      </td>
      <td>
        <Action
          variant="subtle"
          aria-label={t('mapping.remove_one', { name: mapping.remote_code })}
          loading={isPending}
          onClick={() => void remove(mapping).catch(toastFailed)}
        >
          {t('mapping.remove')}
        </Action>
      </td>
    </tr>
  )
}
