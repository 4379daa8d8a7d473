import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { CopyText, Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { itemsText } from '#parts/fulfilment/items.ts'
import { LifeCycle } from '#parts/fulfilment/life-cycle.tsx'
import { RaisedEvents } from '#parts/fulfilment/raised-events.tsx'
import { stepsOf, type Step } from '#parts/fulfilment/steps.ts'
import { Link } from '#ui/link.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { ShipmentActions } from './shipment-actions.tsx'
import type { Shipment } from './shipment-list.tsx'

/** How most shipments go (docs/states.md). */
const usualWay: readonly Shipment['status'][] = ['created', 'ready', 'in_transit', 'out_for_delivery', 'delivered']

const shipmentOf = (id: number) => recordOf('/api/v1/shipments/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [shipmentOf(Number(params['id']))]

/** One shipment: where it is, what can be done, what it carries. */
export const ShipmentDrawer = () => {
  const { t } = useTranslation('shipments')
  const { data: shipment, error } = useQuery(shipmentOf(useIdParam()))
  if (shipment === undefined) return <Drawer closeTo="/shipments" title={undefined} error={error} />
  const { id, status, carrier } = shipment
  return (
    <Drawer
      closeTo="/shipments"
      ident={<Ident id={id} />}
      title={t(`sentence.${status}`, { carrier })}
      about={<Carries shipment={shipment} />}
      actions={<ShipmentActions key={id} shipment={shipment} />}
    >
      <LifeCycle label={t('steps')} steps={stepsOfShipment(shipment)} nameOf={(one) => t(`status.${one}`)} />
      <Facts shipment={shipment} />
      <RaisedEvents kind="shipment" id={id} />
    </Drawer>
  )
}

/** The API keeps no history of shipments: only the first and the present step are known to have been gone. */
const stepsOfShipment = ({ status, created_date: created, modified_date: changed }: Shipment): readonly Step[] => {
  const first = { status: 'created', at: created }
  return stepsOf(usualWay, status === 'created' ? [first] : [first, { status, at: changed }], status)
}

/** The package with what is in it, or the transfer. */
const Carries = ({ shipment }: { readonly shipment: Shipment }) => {
  const { t } = useTranslation('shipments')
  return shipment.package === null ? (
    <Link to={`/transfers/${shipment.transfer}`}>{t('of_transfer', { id: shipment.transfer })}</Link>
  ) : (
    <Parcel id={shipment.package} />
  )
}

const Parcel = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('shipments')
  const { data } = useQuery(recordOf('/api/v1/packages/{id}', { path: { id } }))
  return (
    <>
      <Link to={`/packages/${id}`}>{data?.number ?? t('of_package', { id })}</Link>
      {data !== undefined && ` · ${data.order_number} · ${itemsText(data.items)}`}
    </>
  )
}

const Facts = ({ shipment }: { readonly shipment: Shipment }) => {
  const { t } = useTranslation('shipments')
  const { carrier, awb_number: number, tracking_url: url, created_date: created, modified_date: changed } = shipment
  return (
    <dl className="facts">
      <dt>{t('field.carrier')}</dt>
      <dd>{carrier}</dd>
      <dt>{t('field.awb_number')}</dt>
      <dd>
        {number === null ? (
          '–'
        ) : (
          <>
            <code>{number}</code> <CopyText text={number} />
          </>
        )}
      </dd>
      <dt>{t('field.tracking_url')}</dt>
      <dd>
        {url === null ? (
          '–'
        ) : (
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        )}
      </dd>
      <dt>{t('field.created_date')}</dt>
      <dd>
        <Time at={created} as="moment" />
      </dd>
      <dt>{t('field.modified_date')}</dt>
      <dd>
        <Time at={changed} as="moment" />
      </dd>
    </dl>
  )
}
