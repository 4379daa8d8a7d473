import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf, recordOf } from '#api/queries.ts'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
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
import { TransferActions } from './transfer-actions.tsx'
import type { Transfer } from './transfer-list.tsx'

/** How most transfers go (docs/states.md). */
const usualWay: readonly Transfer['status'][] = [
  'created',
  'transitioned',
  'ready_to_shipment',
  'in_transit',
  'transferred',
]

const transferOf = (id: number) => recordOf('/api/v1/transfers/{id}', { path: { id } })
const historyOf = (id: number) => listOf('/api/v1/transfers/{id}/history', { path: { id }, query: { limit: 100 } })

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [transferOf(id), historyOf(id)]
}

/** One transfer: how far it is, what can be done, what was sent and arrived, what happened. */
export const TransferDrawer = () => {
  const { t } = useTranslation('transfers')
  const { data: transfer, error } = useQuery(transferOf(useIdParam()))
  const from = useLocationCode(transfer?.from_location ?? null)
  const to = useLocationCode(transfer?.to_location ?? null)
  if (transfer === undefined) return <Drawer closeTo="/transfers" title={undefined} error={error} />
  const { id, number, items } = transfer
  return (
    <Drawer
      closeTo="/transfers"
      ident={<Ident id={number} keep={12} />}
      title={sentenceOf(transfer, { from, to }, t)}
      about={t('about_line', { from, to, count: piecesOf(items) })}
      actions={<TransferActions key={id} transfer={transfer} from={from} />}
    >
      <History transfer={transfer}>
        <Facts transfer={transfer} />
        <ItemsTable
          items={items}
          skuTitle={t('field.sku')}
          figures={[
            { title: t('field.quantity'), of: ({ quantity }) => quantity },
            ...(transfer.status === 'transferred'
              ? [{ title: t('field.received'), of: ({ received }: Transfer['items'][number]) => received }]
              : []),
          ]}
        />
      </History>
      <RaisedEvents kind="transfer" id={id} />
    </Drawer>
  )
}

const sentenceOf = ({ status, items }: Transfer, ends: { from: string; to: string }, t: TFunction): string => {
  const count = piecesOf(items)
  const missing = items.reduce((sum, { quantity, received }) => sum + quantity - received, 0)
  if (status === 'transferred' && missing > 0) return t('sentence.transferred_short', { ...ends, missing, count })
  return t(`sentence.${status}`, ends)
}

/** The life cycle above what the transfer is, and what happened below it. */
const History = ({ transfer, children }: { readonly transfer: Transfer; readonly children: ReactNode }) => {
  const { t } = useTranslation('transfers')
  const { data } = useQuery(historyOf(transfer.id))
  const changes = data?.rows ?? []
  const walked = changes.map(({ to_status: status, created_date: at }) => ({ status, at }))
  return (
    <>
      <LifeCycle
        label={t('steps')}
        steps={stepsOf(usualWay, walked, transfer.status)}
        nameOf={(status) => t(`status.${status}`)}
      />
      {children}
      <Timeline
        title={t('history.title')}
        happened={changes.map(({ action, actor, created_date: at, reason, disposition }) => ({
          at,
          what: t(`history.${action}`),
          actor,
          detail: reason ?? (disposition !== null && t(`history.${disposition}`)),
        }))}
      />
    </>
  )
}

const Facts = ({ transfer }: { readonly transfer: Transfer }) => {
  const { t } = useTranslation('transfers')
  const { from_location: from, to_location: to, package: parcel, shipment, created_date: created } = transfer
  return (
    <dl className="facts">
      <dt>{t('field.from_location')}</dt>
      <dd>
        <LocationCode id={from} isLink />
      </dd>
      <dt>{t('field.to_location')}</dt>
      <dd>
        <LocationCode id={to} isLink />
      </dd>
      <dt>{t('field.package')}</dt>
      <dd>{parcel === null ? '–' : <Link to={`/packages/${parcel}`}>#{parcel}</Link>}</dd>
      <dt>{t('field.shipment')}</dt>
      <dd>{shipment === null ? '–' : <Link to={`/shipments/${shipment}`}>#{shipment}</Link>}</dd>
      <dt>{t('field.created_date')}</dt>
      <dd>
        <Time at={created} as="moment" />
      </dd>
    </dl>
  )
}
