import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListPath, RowOf } from '#api/types.ts'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { useList, useListAddress } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import { isList, type BoardDefinition } from './board.ts'
import { Columns } from './columns.tsx'
import { ViewSwitch } from './view-switch.tsx'

interface BoardScreenProps<P extends ListPath> {
  readonly board: BoardDefinition<P>
  readonly columns: readonly Column<RowOf<P>>[]
  readonly actions: ReactNode
  readonly empty: ReactNode
}

/** Rows with a status as a board, or as a list when the address says `view=list`; the filters are the same. */
export const BoardScreen = <P extends ListPath>(props: BoardScreenProps<P>) => {
  const { board, actions } = props
  const { t } = useTranslation(board.list.texts)
  const address = useListAddress(board.list)
  const View = isList(address.search) ? AsList : AsBoard
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={address.request} actions={actions}>
        <View {...props} />
      </Page>
    </ListAndDrawer>
  )
}

const AsList = <P extends ListPath>({ board, columns, empty }: BoardScreenProps<P>) => {
  const list = useList(board.list)
  return (
    <ListView<object>
      // What the rows are is known to the board that both come from; TypeScript does not follow that through a path.
      list={list as never}
      columns={columns as readonly Column<object>[]}
      rowTo={board.rowTo as (row: object) => string}
      empty={empty}
      beside={<ViewSwitch list={list} />}
    />
  )
}

const AsBoard = <P extends ListPath>({ board, empty }: BoardScreenProps<P>) => {
  const list = useListAddress(board.list)
  return (
    <>
      <div className="flex between wrap">
        <FilterBar list={list} />
        <ViewSwitch list={list} />
      </div>
      <Columns board={board} list={list} empty={empty} />
    </>
  )
}
