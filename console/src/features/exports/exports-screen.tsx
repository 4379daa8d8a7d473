import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, exportList } from './export-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(exportList, search)]

/** One's own exports: how far they are, and their files while they are kept. */
export const ExportsScreen = () => {
  const { t } = useTranslation('exports')
  return (
    <ListScreen
      list={useList(exportList)}
      columns={columns}
      create={
        <GoAction main to="/exports/new">
          {t('add')}
        </GoAction>
      }
    />
  )
}
