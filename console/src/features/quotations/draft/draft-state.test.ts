import { describe, expect, test } from 'vitest'
import { begin, draftReducer, type Base, type DraftAction, type DraftState } from './draft-state.ts'
import { discountsWith, hasEdits, linesWith, withCells, withDiscount, withLineDiscount, withProducts } from './edits.ts'
import { priceDraft, splitDraft } from './price-draft.ts'
import { tallyOf } from './differences.ts'
import type { Discount, Line } from './terms.ts'

const line = (key: string, more: Partial<Line> = {}): Line => ({
  key,
  product: `Product ${key}`,
  sku: key,
  remoteId: `R${key}`,
  listPrice: 1_000n,
  price: 1_000n,
  shares: [
    { id: 1, quantity: 10 },
    { id: 2, quantity: 5 },
  ],
  isRemoved: false,
  ...more,
})
const base = (version: number, lines: readonly Line[], discounts: readonly Discount[] = []): Base => ({
  version,
  terms: { currency: 'EUR', digits: 2, lines, discounts },
})
const first = base(1, [line('1'), line('2'), line('3')])
const after = (state: DraftState, ...actions: readonly DraftAction[]): DraftState => actions.reduce(draftReducer, state)
const price = (key: string, value: bigint): DraftAction => ({
  type: 'edit',
  change: (edits) => withCells(edits, [{ line: key, edit: { price: value } }]),
})
const pieces = (key: string, division: number, quantity: number): DraftAction => ({
  type: 'edit',
  change: (edits) => withCells(edits, [{ line: key, edit: { quantities: new Map([[division, quantity]]) } }]),
})
const arrived = (next: Base): DraftAction => ({ type: 'arrived', base: next })
const netOf = ({ base: { terms }, edits }: DraftState): bigint =>
  priceDraft(linesWith(terms, edits), discountsWith(terms, edits)).net

describe('edits', () => {
  test('are priced as they are made, and taken back one by one', () => {
    const edited = after(begin(first), price('1', 900n), pieces('1', 2, 0))
    expect([netOf(begin(first)), netOf(edited)]).toEqual([45_000n, 39_000n])
    const undone = after(edited, { type: 'undo' })
    expect(netOf(undone)).toBe(43_500n)
    expect(hasEdits(after(undone, { type: 'undo' }, { type: 'undo' }).edits)).toBe(false)
  })

  test('that say what is there already are none', () => {
    expect(hasEdits(after(begin(first), price('1', 1_000n), pieces('1', 1, 10)).edits)).toBe(false)
  })

  test('leave lines alone that they are not about: those stay the same objects', () => {
    const { base: before, edits } = after(begin(first), price('2', 500n))
    const { terms } = before
    const lines = linesWith(terms, edits)
    expect([lines[0] === terms.lines[0], lines[1] === terms.lines[1]]).toEqual([true, false])
    expect(linesWith(terms, edits)[1]).toBe(lines[1])
  })

  test('add a product, or change its quantities where it is there', () => {
    const added = line('new:R9', { remoteId: 'R9' })
    const known = line('new:R2', { remoteId: 'R2', shares: [{ id: 1, quantity: 77 }] })
    const state = after(begin(first), {
      type: 'edit',
      change: (edits) => withProducts(first.terms, edits, [added, known]),
    })
    const lines = linesWith(state.base.terms, state.edits)
    expect(lines.map(({ key }) => key)).toEqual(['1', '2', '3', 'new:R9'])
    expect(lines[1]?.shares).toEqual([
      { id: 1, quantity: 77 },
      { id: 2, quantity: 5 },
    ])
  })

  test('give a discount of a line in place of the one that it had, and one on the whole after it', () => {
    const discount = (key: string, of: string | null, value: bigint): Discount => ({
      key,
      line: of,
      type: 'percentage',
      value,
    })
    const given = base(1, [line('1')], [discount('7', '1', 100_000n)])
    const state = after(
      begin(given),
      {
        type: 'edit',
        change: (edits) => withLineDiscount(given.terms, edits, '1', discount('new:1', '1', 200_000n)),
      },
      { type: 'edit', change: (edits) => withDiscount(edits, discount('new:2', null, 500_000n)) },
    )
    expect(netOf(state)).toBe(6_000n)
  })
})

describe('what another saves meanwhile', () => {
  const theirs = base(2, [line('1', { price: 950n }), line('2', { price: 800n }), line('4')])

  test('is taken over where nothing is edited', () => {
    const state = after(begin(first), arrived(theirs))
    expect([state.base, hasEdits(state.edits), state.news]).toEqual([theirs, false, []])
  })

  test('is told, and keeps what was edited here', () => {
    const state = after(begin(first), pieces('1', 1, 12), price('2', 700n), price('3', 1n), arrived(theirs))
    expect(tallyOf(state.news)).toMatchObject({ lower: 2, added: 1, removed: 1 })
    expect(state.lost.map(({ key }) => key)).toEqual(['3'])
    expect(state.conflicts).toEqual([{ line: '2', cell: 'price', theirs: 800n }])
    const [one, two] = linesWith(state.base.terms, state.edits)
    expect([one?.price, one?.shares[0]?.quantity, two?.price]).toEqual([950n, 12, 700n])
  })

  test('is no conflict where both did the same', () => {
    const state = after(begin(first), price('1', 950n), arrived(theirs))
    expect([state.conflicts, hasEdits(state.edits)]).toEqual([[], false])
  })

  test('holds where one chooses it, and one keeps the own otherwise', () => {
    const state = after(begin(first), price('2', 700n), arrived(theirs))
    const [conflict] = state.conflicts
    if (conflict === undefined) throw new Error('There is no conflict.')
    const chosen = (isMine: boolean) => after(state, { type: 'choose', conflict, isMine })
    expect(chosen(true).conflicts).toEqual([])
    expect(linesWith(theirs.terms, chosen(true).edits)[1]?.price).toBe(700n)
    expect(linesWith(theirs.terms, chosen(false).edits)[1]?.price).toBe(800n)
  })

  test('is not news a second time', () => {
    const state = after(begin(first), price('2', 700n), arrived(theirs), { type: 'read' }, arrived(theirs))
    expect(state.news).toEqual([])
  })
})

describe('what is saved', () => {
  test('is no edit any more, and what is left stays one', () => {
    const edited = after(begin(first), price('1', 900n), price('2', 800n))
    const half = base(2, [line('1', { price: 900n }), line('2'), line('3')])
    const state = after(edited, { type: 'saved', base: half })
    expect([...state.edits.lines.keys()]).toEqual(['2'])
    const whole = base(3, [line('1', { price: 900n }), line('2', { price: 800n }), line('3')])
    expect(hasEdits(after(state, { type: 'saved', base: whole }).edits)).toBe(false)
  })

  test('gives what is about a new line to the line that it became', () => {
    const added = line('new:R9', { remoteId: 'R9' })
    const given: Discount = { key: 'new:1', line: 'new:R9', type: 'percentage', value: 100_000n }
    const edited = after(
      begin(first),
      { type: 'edit', change: (edits) => withProducts(first.terms, edits, [added]) },
      { type: 'edit', change: (edits) => withLineDiscount(first.terms, edits, 'new:R9', given) },
    )
    const state = after(edited, { type: 'saved', base: base(2, [...first.terms.lines, line('9', { remoteId: 'R9' })]) })
    expect([state.edits.added, state.edits.given]).toEqual([[], [{ ...given, line: '9' }]])
  })
})

test('lines that are removed are in no order', () => {
  const { base: before, edits } = after(begin(first), pieces('2', 1, 0), pieces('2', 2, 0))
  const { terms } = before
  const lines = linesWith(terms, edits)
  const orders = splitDraft(lines, priceDraft(lines, []), 15)
  expect(orders.map(({ divisionId, quantity }) => [divisionId, quantity])).toEqual([
    [1, 15],
    [1, 5],
    [2, 10],
  ])
})
