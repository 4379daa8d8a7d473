import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { quotations } from '#parts/quotation-filters.ts'
import { Link } from '#ui/link.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import type { Search } from '#ui/list/filters.ts'
import { useListAddress } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { ExportForm } from './export-form.tsx'

/** Begins an export: of the quotations that fit the filters in the address, or of the items of the one that it names. */
export const NewExportScreen = () => {
  const { quotation }: Search = useSearch({ strict: false })
  return typeof quotation === 'string' ? <OfItems id={Number(quotation)} /> : <OfQuotations />
}

const OfQuotations = () => {
  const { t } = useTranslation('exports')
  const list = useListAddress(quotations)
  return (
    <Page title={t('new.title')} about={t('new.about')}>
      <section className="stack">
        <h2>{t('new.which')}</h2>
        <FilterBar list={list} />
      </section>
      <ExportForm subject={{ kind: 'quotations', matching: list.matching }} />
    </Page>
  )
}

const OfItems = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('exports')
  const { data, error } = useQuery(recordOf('/api/v1/quotations/{id}', { path: { id } }))
  if (data === undefined) return error === null ? <Skeleton lines={12} width="100%" /> : <Failed error={error} />
  return (
    <Page
      title={t('new.items_title', { number: data.number })}
      about={
        <>
          {t('new.items_about', { count: data.items.length })}{' '}
          <Link to={`/quotations/${id}`}>{t('new.to_quotation')}</Link>
        </>
      }
    >
      <ExportForm subject={{ kind: 'items', id, rows: data.items.length }} />
    </Page>
  )
}
