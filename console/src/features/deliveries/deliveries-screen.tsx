import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { SavedViews } from '#ui/list/saved-views.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, deliveries } from './delivery-list.tsx'
import { Histogram } from './histogram.tsx'
import { Legend } from './legend.tsx'
import { NewRows } from './new-rows.tsx'
import { BulkActions } from './redelivery/bulk-actions.tsx'
import { useHeldRows } from './use-held-rows.ts'
import { useHistogram } from './use-histogram.ts'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(deliveries, search)]

/** What was delivered to hooks, what was not, and why. */
export const DeliveriesScreen = () => {
  const { t } = useTranslation(['deliveries', 'delivery'])
  const { list, held, showNew } = useLiveList()
  const { histogram, isOld } = useHistogram(list.matching)
  const key = JSON.stringify(list.search)
  return (
    <ListAndDrawer>
      <Page
        title={t('title')}
        about={t('about')}
        request={list.request}
        actions={<BulkActions matching={list.matching} histogram={histogram} />}
      >
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/deliveries/${id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
          beside={<SavedViews screen="deliveries" list={list} />}
          above={
            <Histogram
              histogram={histogram}
              isOld={isOld}
              pick={(from, until) => list.change({ created_date__gte: from, created_date__lt: until })}
            />
          }
          besideCount={
            <>
              <Legend histogram={histogram} search={list.search} change={list.change} />
              <NewRows
                key={key}
                search={list.search}
                shown={held.rows?.map(({ id }) => id) ?? []}
                waiting={held.newIds}
                show={showNew}
              />
            </>
          }
        />
      </Page>
    </ListAndDrawer>
  )
}

/** The list with its rows held, and how to let new ones in: at the first page, the newest first, which is where they are. */
const useLiveList = () => {
  const list = useList(deliveries)
  const { result, search, change } = list
  const { data } = result
  const held = useHeldRows(JSON.stringify(search), {
    rows: data?.rows,
    isPlaceholder: result.isPlaceholderData,
    isWhole: data?.nextCursor === undefined,
  })
  const isElsewhere = [search['cursor'], search['page'], search['ordering']].some((value) => value !== undefined)
  const showNew = async (): Promise<void> => {
    if (isElsewhere) return change({ cursor: undefined, page: undefined, ordering: undefined })
    const next = await result.refetch()
    if (next.data !== undefined) held.show(next.data.rows)
  }
  const shown =
    data !== undefined && held.rows !== undefined ? { ...result, data: { ...data, rows: held.rows } } : result
  return { list: { ...list, result: shown }, held, showNew }
}
