import { describe, expect, test } from 'vitest'
import { changedTerms } from './changed-terms.ts'
import { priced, unitsOf, type AppliedDiscount, type Item, type Share, type Terms } from '../terms/terms.ts'

const item = (id: number, divisions: readonly Share[], fields: Partial<Item> = {}): Item => ({
  id,
  productId: id,
  productRemoteId: `P${id}`,
  sku: null,
  productName: `Product ${id}`,
  listPrice: 100n,
  divisionPrice: null,
  priceList: null,
  priceOverride: null,
  quantity: unitsOf(divisions),
  totalAmount: 0n,
  netAmount: 0n,
  divisions,
  ...fields,
})
const items = (count: number, divisions = 1): Item[] =>
  Array.from({ length: count }, (_, index) =>
    item(
      index + 1,
      Array.from({ length: divisions }, (_share, share) => ({ id: share + 1, quantity: 2 })),
    ),
  )
const discount: AppliedDiscount = {
  id: 7,
  itemId: null,
  type: 'percentage',
  value: 100_000n,
  amount: 0n,
  createdAt: new Date(0),
}
const terms = (of: readonly Item[], discounts: readonly AppliedDiscount[] = []): Terms =>
  priced({ currency: 'EUR', items: of, discounts })

describe('what is written down of changed terms', () => {
  test('are the fields that changed, of the items that changed', () => {
    const before = items(2, 3)
    const [first, second] = before
    if (first === undefined || second === undefined) throw new Error('There are two.')
    expect(changedTerms(terms(before), terms([first, { ...second, priceOverride: 50n }]))).toEqual([
      { 'item 2': { price: '1.00', total_amount: '6.00', net_amount: '6.00' } },
      { 'item 2': { price: '0.50', total_amount: '3.00', net_amount: '3.00' } },
    ])
    expect(changedTerms(terms(before), terms(before))).toEqual([{}, {}])
  })

  test('is the whole of what was added or removed', () => {
    const [first, second] = items(2)
    if (first === undefined || second === undefined) throw new Error('There are two.')
    const [was, is] = changedTerms(terms([first]), terms([second], [discount]))
    expect(was).toMatchObject({ 'item 1': { product_remote_id: 'P1' }, 'item 2': null, 'discount 7': null })
    expect(is).toMatchObject({ 'item 1': null, 'item 2': { quantity: 2 }, 'discount 7': { amount: '0.20' } })
  })

  test('are up to two hundred items one by one', () => {
    const [was, is] = changedTerms(terms(items(200)), terms(items(200), [discount]))
    expect([Object.keys(was).length, Object.keys(is).length]).toEqual([201, 201])
    expect(is).toMatchObject({ 'item 200': { net_amount: '1.80' } })
    expect(JSON.stringify([was, is]).length).toBeLessThan(20_000)
  })

  test('is how many there are, of more', () => {
    const [was, is] = changedTerms(terms(items(1_000)), terms(items(1_000), [discount]))
    expect(was).toEqual({ items: { count: 1_000, quantity: 2_000 }, 'discount 7': null })
    expect(is).toMatchObject({ items: { count: 1_000, quantity: 2_000, changed: 1_000 }, 'discount 7': {} })
    expect(JSON.stringify([was, is]).length).toBeLessThan(1_000)
  })

  test('is no long list of divisions either', () => {
    const [was, is] = changedTerms(terms(items(1, 5_000)), terms(items(1, 4_999)))
    expect([was, is]).toEqual([
      { items: { count: 1, quantity: 10_000 } },
      { items: { count: 1, quantity: 9_998, changed: 1 } },
    ])
  })
})
