import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { EventObject } from '#ui/event-object.tsx'
import { Time } from '#ui/time.tsx'

/** The first of what would be sent again. */
export const SampleTable = ({ sample }: { readonly sample: readonly Schema<'RedeliverySample'>[] }) => {
  const { t } = useTranslation('deliveries')
  return (
    <table className="table">
      <caption className="visually-hidden">{t('bulk.sample')}</caption>
      <thead>
        <tr>
          <th>{t('field.time')}</th>
          <th>{t('field.event_type')}</th>
          <th>{t('field.about')}</th>
          <th className="num">{t('field.hook')}</th>
        </tr>
      </thead>
      <tbody>
        {sample.map((one) => (
          <tr key={`${one.event} ${one.hook}`}>
            <td className="muted">
              <Time at={one.occurred_at} />
            </td>
            <td>
              <code>{one.event_type}</code>
            </td>
            <td>
              <EventObject of={one} />
            </td>
            <td className="num">{one.hook}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
