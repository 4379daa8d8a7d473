import { describe, expect, test } from 'vitest'
import { basketToWire, draftToWire, type BasketQuantity } from './basket.ts'
import { quantityProblem, wholeNumber } from './basket-fields.ts'

describe('numbers as the storefront client sends them', () => {
  test.each([
    [3, 3],
    ['3', 3],
    ['0', 0],
    [-1, -1],
    ['-1', -1],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', undefined],
    [2.5, undefined],
    ['2.5', undefined],
    ['3.0', undefined],
    ['03', undefined],
    ['+3', undefined],
    [' 3', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['', undefined],
    ['three', undefined],
  ])('%j is %j', (sent, read) => {
    expect(wholeNumber(sent)).toBe(read)
  })

  test.each([
    [1, 1, true],
    [1_000_000, 1, true],
    [0, 0, true],
    [0, 1, false],
    [-1, 0, false],
    [1_000_001, 1, false],
    [undefined, 0, false],
  ] as const)('a quantity of %j where the least is %j', (quantity, least, isRight) => {
    expect(quantityProblem(quantity, least) === undefined).toBe(isRight)
  })
})

const basketQuantity = (fields: {
  product?: Partial<BasketQuantity['product']>
  division?: number
  quantity?: number
}): BasketQuantity => ({
  product: {
    id: 1,
    remoteId: '1001',
    sku: 'CHAIR',
    baseCode: 'CHAIRS',
    category: 'Seats',
    image: 'https://shop.example/chair.jpg',
    attributes: { wood: 'oak' },
    name: 'Chair',
    price: 1_250n,
    currency: 'EUR',
    isActive: true,
    divisionPrice: null,
    priceList: null,
    ...fields.product,
  },
  division: { id: fields.division ?? 7, name: 'Branch', erpCode: null },
  quantity: fields.quantity ?? 2,
})

describe('a basket on the wire', () => {
  test('has an item for each product, with its divisions in sequence', () => {
    const other = { id: 2, remoteId: 'DESK', price: 999n }
    const quantities = [
      basketQuantity({}),
      basketQuantity({ product: other, quantity: 3 }),
      basketQuantity({ division: 8, quantity: 1 }),
    ]
    const basket = basketToWire({ id: 5, quantities })
    expect(basket).toMatchObject({ id: 5, total_amount: '67.47', total_quantity: 6, currency: 'EUR' })
    expect(basket.basket_items).toMatchObject([
      {
        product_remote_id: 1001,
        price: '12.50',
        quantity: 3,
        total_amount: '37.50',
        divisions: [
          { id: 7, name: 'Branch', erp_code: '', quantity: 2 },
          { id: 8, quantity: 1 },
        ],
        product: {
          pk: 1,
          name: 'Chair',
          sku: 'CHAIR',
          base_code: 'CHAIRS',
          category: 'Seats',
          image: 'https://shop.example/chair.jpg',
          product_image: 'https://shop.example/chair.jpg',
          attributes: { wood: 'oak' },
          variants: {},
          price: '12.50',
          currency: 'EUR',
        },
      },
      { product_remote_id: 'DESK', price: '9.99', quantity: 3, total_amount: '29.97' },
    ])
  })

  test('is empty with an amount all the same', () => {
    const empty = { id: 5, total_amount: '0.00', total_quantity: 0, currency: null, basket_items: [] }
    expect(basketToWire({ id: 5, quantities: [] })).toEqual(empty)
  })

  test('has the digits of its currency, and amounts that no float could hold', () => {
    const yen = basketQuantity({
      product: { price: BigInt(Number.MAX_SAFE_INTEGER), currency: 'JPY' },
      quantity: 1_000_000,
    })
    expect(basketToWire({ id: 5, quantities: [yen] })).toMatchObject({ total_amount: '9007199254740991000000' })
  })

  test('adds up what is of its first currency when a product has changed its own', () => {
    const quantities = [basketQuantity({}), basketQuantity({ product: { id: 2, currency: 'USD', price: 100n } })]
    expect(basketToWire({ id: 5, quantities })).toMatchObject({
      total_amount: '25.00',
      currency: 'EUR',
      total_quantity: 4,
    })
  })

  test.each([
    ['1001', 1_001],
    ['0', '0'],
    ['01001', '01001'],
    ['9007199254740993', '9007199254740993'],
    ['A-1', 'A-1'],
  ])('shows the remote id %s as %j', (remoteId, shown) => {
    const [item] = basketToWire({ id: 5, quantities: [basketQuantity({ product: { remoteId } })] }).basket_items
    expect(item?.product_remote_id).toBe(shown)
  })

  test('a draft has its amount as a text', () => {
    const savedAt = new Date('2026-11-21T09:30:00Z')
    const sums = [{ currency: 'EUR', amount: 123_450n, quantity: 4 }]
    expect(draftToWire({ id: 3, name: 'Spring', savedAt, sums })).toEqual({
      id: 3,
      name: 'Spring',
      total_amount: '1234.50',
      total_quantity: 4,
      currency: 'EUR',
      saved_at: '2026-11-21T09:30:00.000Z',
    })
  })
})
