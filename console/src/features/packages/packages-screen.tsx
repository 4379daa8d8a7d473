import { asksOf } from '#parts/board/board.ts'
import { BoardScreen } from '#parts/board/board-screen.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { packageBoard } from './package-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => asksOf(packageBoard, search)

/** What is packed and sent of orders, by how far it is. */
export const PackagesScreen = () => <BoardScreen board={packageBoard} />
