import { describe, expect, test } from 'vitest'
import { changesOf, discountChangesOf } from './changes.ts'
import type { Difference } from './queries.ts'

type Item = NonNullable<Difference['items'][number]['after']>

const item = (price: string, quantity = 3, division = 1): Item => ({
  id: 1,
  product_remote_id: 1001,
  sku: 'A',
  product: 'Towel',
  quantity,
  list_price: '10.00',
  price,
  total_amount: '0.00',
  net_amount: '0.00',
  divisions: [{ id: division, quantity }],
  price_list: null,
})
const told = (before: Item | null, after: Item | null) =>
  changesOf({ items: [{ id: 1, before, after }] }).map((change) =>
    change.kind === 'changed' ? [change.price, change.isQuantityOther] : change.kind,
  )

describe('what changed between two revisions', () => {
  test.each([
    ['a lower price', item('9.90'), item('8.40'), [['lower', false]]],
    ['a higher price', item('8.40'), item('9.90'), [['higher', false]]],
    ['another quantity', item('9.90', 3), item('9.90', 4), [['same', true]]],
    ['another division', item('9.90', 3, 1), item('9.90', 3, 2), [['same', true]]],
    ['a line that is new', null, item('1.95'), ['new']],
    ['a line that is gone', item('1.95'), null, ['gone']],
    ['the same price, written otherwise', item('9.9'), item('9.90'), []],
  ])('%s', (_, before, after, expected) => {
    expect(told(before, after)).toEqual(expected)
  })

  test('discounts that came and went, but not those that only take off another amount', () => {
    const discount = {
      id: 5,
      item: null,
      discount_type: 'percentage',
      value: '5',
      amount: '1.00',
      created_at: '',
    } as const
    const discounts = [
      { id: 5, before: null, after: discount },
      { id: 6, before: discount, after: null },
      { id: 7, before: discount, after: { ...discount, amount: '2.00' } },
    ]
    expect(discountChangesOf({ discounts }).map(({ kind }) => kind)).toEqual(['new', 'gone'])
  })
})
