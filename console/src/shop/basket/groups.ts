import type { Schema } from '#api/types.ts'
import { sum, times } from '../parts/money.ts'

type Item = Schema<'BasketItem'>

export interface BasketRow {
  readonly item: Item
  readonly quantity: number
  readonly amount: string
}

/** What a basket has for one division. */
export interface BasketGroup {
  readonly id: number
  readonly name: string
  readonly rows: readonly BasketRow[]
  readonly amount: string
}

/** A basket by division: they and their products in the order in which they were put in. */
export const groupsOf = (items: readonly Item[]): readonly BasketGroup[] => {
  const groups = new Map<number, { id: number; name: string; rows: BasketRow[] }>()
  for (const item of items)
    for (const { id, name, quantity } of item.divisions) {
      const group = groups.get(id) ?? { id, name, rows: [] }
      groups.set(id, group)
      group.rows.push({ item, quantity, amount: times(item.price, quantity) })
    }
  return [...groups.values()].map((group) => ({ ...group, amount: sum(group.rows.map(({ amount }) => amount)) }))
}
