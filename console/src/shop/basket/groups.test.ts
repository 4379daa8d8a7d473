import { expect, test } from 'vitest'
import type { Schema } from '#api/types.ts'
import { groupsOf } from './groups.ts'

const item = (id: number, price: string, ...divisions: (readonly [id: number, quantity: number])[]) =>
  ({
    product_remote_id: id,
    price,
    divisions: divisions.map(([division, quantity]) => ({ id: division, name: `Branch ${division}`, quantity })),
  }) as unknown as Schema<'BasketItem'>

test('a basket is shown by division, with what each comes to', () => {
  const groups = groupsOf([item(1, '49.90', [7, 3], [8, 1]), item(2, '0.10', [8, 3])])
  expect(groups.map(({ name, amount, rows }) => [name, amount, rows.map(({ quantity }) => quantity).join()])).toEqual([
    ['Branch 7', '149.7000', '3'],
    ['Branch 8', '50.2000', '1,3'],
  ])
})

test('an empty basket has no division', () => {
  expect(groupsOf([])).toEqual([])
})
