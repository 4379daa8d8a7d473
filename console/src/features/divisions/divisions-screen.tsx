import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import { toQuery } from '#ui/list/filters.ts'
import { SearchField } from '#ui/list/search-field.tsx'
import { useListAddress } from '#ui/list/use-list.ts'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { DivisionTree } from './division-tree.tsx'
import { allDivisions, divisions, maxShown } from './division-list.ts'

export const asks = ({ search }: Address): readonly AnyQuery[] => [
  allDivisions(toQuery(divisions.filters, search, new Date())),
]

type List = ReturnType<typeof useListAddress<'/api/v1/divisions'>>

/** Who buys: companies with their branches, as a tree. */
export const DivisionsScreen = () => {
  const { t } = useTranslation('divisions')
  const list = useListAddress(divisions)
  const actions = (
    <>
      <GoAction to="/divisions/import">{t('import.go')}</GoAction>
      <GoAction main to="/divisions/new">
        {t('add')}
      </GoAction>
    </>
  )
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request} actions={actions}>
        <div className="flex between wrap">
          <FilterBar list={list} />
          <SearchField list={list} name="name" label={t('search')} />
        </div>
        <Tree list={list} />
      </Page>
    </ListAndDrawer>
  )
}

const Tree = ({ list }: { readonly list: List }) => {
  const { t } = useTranslation('divisions')
  const { t: common } = useTranslation('texts')
  const { data, error, refetch } = useQuery({ ...allDivisions(list.matching), placeholderData: keepPreviousData })
  if (data === undefined)
    return error === null ? <Skeleton lines={12} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  if (data.rows.length === 0)
    return list.active.length === 0 ? (
      <Empty title={t('empty')}>{t('empty_why')}</Empty>
    ) : (
      <Empty title={common('list.no_match')} action={<Action onClick={list.clear}>{common('list.clear')}</Action>} />
    )
  return (
    <>
      <p className="small muted" role="status">
        {t(data.total > maxShown ? 'count_cut' : 'count', { count: data.total, shown: data.rows.length })}
      </p>
      <DivisionTree divisions={data.rows} />
    </>
  )
}
