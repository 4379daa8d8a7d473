import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf, recordOf } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { Ident } from '#ui/copy.tsx'
import { piecesOf } from '#parts/fulfilment/items.ts'
import { ItemsTable } from '#parts/fulfilment/items-table.tsx'
import { LifeCycle } from '#parts/fulfilment/life-cycle.tsx'
import { LocationCode, useLocationCode } from '#parts/fulfilment/locations.tsx'
import { RaisedEvents } from '#parts/fulfilment/raised-events.tsx'
import { stepsOf } from '#parts/fulfilment/steps.ts'
import { Timeline } from '#parts/fulfilment/timeline.tsx'
import { Link } from '#ui/link.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { PackageActions } from './package-actions.tsx'
import type { Package } from './package-list.tsx'

/** How most packages go (docs/states.md). */
const usualWay: readonly Package['status'][] = ['created', 'transitioned', 'packed', 'shipped']

const packageOf = (id: number) => recordOf('/api/v1/packages/{id}', { path: { id } })
const historyOf = (id: number) => listOf('/api/v1/packages/{id}/history', { path: { id }, query: { limit: 100 } })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [packageOf(id), historyOf(id)]
}

/** One package: how far it is, what can be done, what is in it, what happened. */
export const PackageDrawer = () => {
  const { t } = useTranslation('packages')
  const { data: parcel, error } = useQuery(packageOf(useIdParam()))
  const where = useLocationCode(parcel?.stock_location ?? null)
  if (parcel === undefined) return <Drawer closeTo="/packages" title={undefined} error={error} />
  const { id, number, order_number: order, items } = parcel
  return (
    <Drawer
      closeTo="/packages"
      ident={<Ident id={number} keep={12} />}
      title={sentenceOf(parcel, where, t)}
      about={t('about_line', { order, count: piecesOf(items) })}
      actions={<PackageActions key={id} parcel={parcel} />}
    >
      <History parcel={parcel}>
        <Facts parcel={parcel} />
        <ItemsTable
          items={items}
          skuTitle={t('field.sku')}
          figures={[{ title: t('field.quantity'), of: ({ quantity }) => quantity }]}
        />
      </History>
      <RaisedEvents kind="package" id={id} />
    </Drawer>
  )
}

const sentenceOf = ({ status, stock_location: at, shipment }: Package, where: string, t: TFunction): string => {
  if (status === 'created' && at !== null) return t('sentence.created_for', { where })
  if (status === 'packed' && shipment !== null) return t('sentence.packed_with')
  return t(`sentence.${status}`, { where })
}

/** The life cycle above what the package is, and what happened below it. */
const History = ({ parcel, children }: { readonly parcel: Package; readonly children: ReactNode }) => {
  const { t } = useTranslation('packages')
  const { data } = useQuery(historyOf(parcel.id))
  const changes = data?.rows ?? []
  const walked = changes.map(({ to_status: status, created_date: at }) => ({ status, at }))
  return (
    <>
      <LifeCycle
        label={t('steps')}
        steps={stepsOf(usualWay, walked, parcel.status)}
        nameOf={(status) => t(`status.${status}`)}
      />
      {children}
      <Timeline
        title={t('history.title')}
        happened={changes.map(({ action, actor, created_date: at, stock_location: location }) => ({
          at,
          what: t(`history.${action}`),
          actor,
          detail: action === 'transition' && <LocationCode id={location} />,
        }))}
      />
    </>
  )
}

const Facts = ({ parcel }: { readonly parcel: Package }) => {
  const { t } = useTranslation('packages')
  const { stock_location: location, shipment, quotation_order: order, created_date: created } = parcel
  return (
    <dl className="facts">
      <dt>{t('field.stock_location')}</dt>
      <dd>
        <LocationCode id={location} isLink />
      </dd>
      <dt>{t('field.shipment')}</dt>
      <dd>{shipment === null ? '–' : <Link to={`/shipments/${shipment}`}>#{shipment}</Link>}</dd>
      {order !== null && (
        <>
          <dt>{t('field.quotation_order')}</dt>
          <dd>
            <Link to={`/orders/${order}`}>#{order}</Link>
          </dd>
        </>
      )}
      <dt>{t('field.created_date')}</dt>
      <dd>
        <Time at={created} as="moment" />
      </dd>
    </dl>
  )
}
