import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import { useGo } from '#ui/go.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, packageBoard } from './package-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(packageBoard, search)

/** What is packed and sent of orders, by how far it is. */
export const PackagesScreen = () => {
  const { t } = useTranslation('packages')
  const go = useGo()
  const create = <Action onClick={() => go.push('/packages/new')}>{t('new.open')}</Action>
  return (
    <BoardScreen
      board={packageBoard}
      columns={columns}
      actions={create}
      empty={
        <Empty title={t('empty')} action={create}>
          {t('empty_why')}
        </Empty>
      }
    />
  )
}
