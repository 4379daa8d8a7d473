import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListPath } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { useList, useListAddress } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import { Empty } from '#ui/states.tsx'
import { isList, type BoardDefinition } from './board.ts'
import { Columns } from './columns.tsx'
import { ViewSwitch } from './view-switch.tsx'

interface BoardScreenProps<P extends ListPath> {
  readonly board: BoardDefinition<P>
}

/** Rows with a status as a board, or as a list when the address says `view=list`; the filters are the same. */
export const BoardScreen = <P extends ListPath>({ board }: BoardScreenProps<P>) => {
  const { t } = useTranslation(board.list.texts)
  const address = useListAddress(board.list)
  const View = isList(address.search) ? AsList : AsBoard
  const create = <GoAction to={board.createTo}>{t('new.open')}</GoAction>
  const empty = (
    <Empty title={t('empty')} action={create}>
      {t('empty_why')}
    </Empty>
  )
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={address.request} actions={create}>
        <View board={board} empty={empty} />
      </Page>
    </ListAndDrawer>
  )
}

interface ViewProps<P extends ListPath> extends BoardScreenProps<P> {
  readonly empty: ReactNode
}

const AsList = <P extends ListPath>({ board, empty }: ViewProps<P>) => {
  const list = useList(board.list)
  return (
    <ListView<object>
      // What the rows are is known to the board that both come from; TypeScript does not follow that through a path.
      list={list as never}
      columns={board.columns as readonly Column<object>[]}
      rowTo={board.rowTo as (row: object) => string}
      empty={empty}
      beside={<ViewSwitch list={list} />}
    />
  )
}

const AsBoard = <P extends ListPath>({ board, empty }: ViewProps<P>) => {
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
