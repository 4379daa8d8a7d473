import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { shipmentBoard } from './shipment-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(shipmentBoard, search)

/** What carriers have, by how far it is. */
export const ShipmentsScreen = () => <BoardScreen board={shipmentBoard} />
