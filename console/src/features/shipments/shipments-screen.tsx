import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import { useGo } from '#ui/go.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, shipmentBoard } from './shipment-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(shipmentBoard, search)

/** What carriers have, by how far it is. */
export const ShipmentsScreen = () => {
  const { t } = useTranslation('shipments')
  const go = useGo()
  const create = <Action onClick={() => go.push('/shipments/new')}>{t('new.open')}</Action>
  return (
    <BoardScreen
      board={shipmentBoard}
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
