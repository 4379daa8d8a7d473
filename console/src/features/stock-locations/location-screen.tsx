import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { RaisedEvents } from '#parts/fulfilment/raised-events.tsx'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import type { Search } from '#ui/list/filters.ts'
import { queryOf } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { AdjustStock } from './adjust-stock.tsx'
import { Balances, balancesOf } from './balances.tsx'
import { Ledger, ledgerOf } from './ledger.tsx'
import { LocationActions } from './location-actions.tsx'
import type { StockLocation } from './location-list.tsx'
import classes from './stock-locations.module.css'

const locationOf = (id: number) => recordOf('/api/v1/stock_locations/{id}', { path: { id } })

const tabs = ['stock', 'ledger', 'events'] as const
type Tab = (typeof tabs)[number]
const tabOf = (search: Search): Tab => tabs.find((tab) => tab === search['tab']) ?? 'stock'

export const asks = ({ params, search }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  const tab = tabOf(search)
  return [
    locationOf(id),
    ...(tab === 'stock' ? [queryOf(balancesOf(id), search)] : []),
    ...(tab === 'ledger' ? [queryOf(ledgerOf(id), search)] : []),
  ]
}

/** One location: what it has, and the ledger that says why. */
export const LocationScreen = () => {
  const { data: location, error, refetch } = useQuery(locationOf(useIdParam()))
  if (location !== undefined) return <Location key={location.id} location={location} />
  return (
    <div className={classes['wait']}>
      {error === null ? <Skeleton lines={14} width="100%" /> : <Failed error={error} retry={() => void refetch()} />}
    </div>
  )
}

const Location = ({ location }: { readonly location: StockLocation }) => {
  const { t } = useTranslation('stock-locations')
  const tab = tabOf(useSearch({ strict: false }))
  /** The sku that stock is adjusted of, as long as that is done. */
  const [sku, setSku] = useState<string>()
  const { id, code, name, kind, address } = location
  const about = [code, t(`kind.${kind}`), address].filter((word) => word !== '').join(' · ')
  return (
    <Page
      title={t(location.is_active ? 'sentence.active' : 'sentence.inactive', { name })}
      about={location.allow_backorder ? `${about} · ${t('takes_backorders')}` : about}
      request={{ url: `/api/v1/stock_locations/${id}/${tab === 'ledger' ? 'movements' : 'stock'}` }}
      actions={<LocationActions location={location} adjust={() => setSku('')} />}
    >
      <Tabs id={id} tab={tab} />
      {tab === 'stock' && <Balances location={location} adjust={setSku} />}
      {tab === 'ledger' && <Ledger location={location} />}
      {tab === 'events' && (
        <div className={classes['narrow']}>
          <RaisedEvents kind="stocklocation" id={id} />
        </div>
      )}
      {sku !== undefined && <AdjustStock location={location} sku={sku} close={() => setSku(undefined)} />}
    </Page>
  )
}

const Tabs = ({ id, tab }: { readonly id: number; readonly tab: Tab }) => {
  const { t } = useTranslation('stock-locations')
  const go = useGo()
  return (
    <nav aria-label={t('tabs')} className={classes['tabs']}>
      {tabs.map((one) => (
        <UnstyledButton
          key={one}
          aria-pressed={one === tab}
          onClick={() => go.push(`/stock_locations/${id}${one === 'stock' ? '' : `?tab=${one}`}`)}
        >
          {t(`tab.${one}`)}
        </UnstyledButton>
      ))}
      <Link to={`/packages?stock_location=${id}`}>{t('tab.packages')}</Link>
      <Link to={`/transfers?from_location=${id}`}>{t('tab.transfers_from')}</Link>
      <Link to={`/transfers?to_location=${id}`}>{t('tab.transfers_to')}</Link>
    </nav>
  )
}
