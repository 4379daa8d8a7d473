import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { transferBoard } from './transfer-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(transferBoard, search)

/** Stock on its way between locations, by how far it is. */
export const TransfersScreen = () => <BoardScreen board={transferBoard} />
