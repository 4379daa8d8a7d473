import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { Tag, type Outcome } from '../parts/states.tsx'
import classes from './orders.module.css'

type Package = RowOf<'/api/v1/my-orders'>['packages'][number]

const outcomeOf = ({ status, shipment }: Package): Outcome => {
  if (shipment?.status === 'delivered') return 'ok'
  if (shipment?.status === 'failed' || shipment?.status === 'returned') return 'bad'
  return status === 'shipped' ? 'wait' : 'idle'
}

/** Where the packages of an order are, and how one follows them. */
export const Packages = ({ packages }: { readonly packages: readonly Package[] }) => {
  const { t } = useTranslation('shop')
  if (packages.length === 0) return <p className="small muted">{t('orders.none_sent')}</p>
  return (
    <ul className={classes['packages']}>
      {packages.map((one) => (
        <li key={one.id} className="flex wrap">
          <Tag outcome={outcomeOf(one)}>
            {one.shipment !== null && one.status === 'shipped'
              ? t(`orders.shipment.${one.shipment.status}`)
              : t(`orders.package.${one.status}`)}
          </Tag>
          <span className="small muted">{[one.number, one.shipment?.carrier].filter(Boolean).join(' · ')}</span>
          {one.shipment !== null && <Tracking shipment={one.shipment} />}
        </li>
      ))}
    </ul>
  )
}

const Tracking = ({ shipment }: { readonly shipment: NonNullable<Package['shipment']> }) => {
  const { t } = useTranslation('shop')
  const { awb_number: number, tracking_url: url } = shipment
  if (url === null || !/^https?:/i.test(url)) return number === null ? null : <span className="small">{number}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={classes['track']}>
      {t('orders.track_what', { number: number ?? '' })}
    </a>
  )
}
