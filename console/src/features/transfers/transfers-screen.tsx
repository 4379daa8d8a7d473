import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import { useGo } from '#ui/go.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, transferBoard } from './transfer-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(transferBoard, search)

/** Stock on its way between locations, by how far it is. */
export const TransfersScreen = () => {
  const { t } = useTranslation('transfers')
  const go = useGo()
  const create = <Action onClick={() => go.push('/transfers/new')}>{t('new.open')}</Action>
  return (
    <BoardScreen
      board={transferBoard}
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
