import { describe, expect, test } from 'vitest'
import { applied, isShort, movementKinds, type Movement, type MovementKind } from './movements.ts'

const strict = { id: 1, allowBackorder: false }
const lenient = { id: 2, allowBackorder: true }
const move = (kind: MovementKind, quantity: number, location = strict): Movement => ({
  location,
  sku: 'A',
  kind,
  quantity,
})

test.each([
  ['adjust', 10, 4],
  ['allocate', 7, 7],
  ['release', 7, 1],
  ['sale', 4, 1],
  ['restock', 10, 4],
  ['write_off', 4, 4],
  ['transfer_out', 4, 1],
  ['transfer_in', 10, 4],
] as const)('3 pieces of %s make 7 there, 4 promised into %i there, %i promised', (kind, onHand, allocated) => {
  expect(applied({ sku: 'A', onHand: 7, allocated: 4 }, move(kind, 3))).toEqual({ sku: 'A', onHand, allocated })
})

describe('a movement is short', () => {
  const balance = { sku: 'A', onHand: 5, allocated: 3 }

  test('when it takes more than is available, to the piece', () => {
    expect(isShort(balance, move('allocate', 2))).toBe(false)
    expect(isShort(balance, move('allocate', 3))).toBe(true)
    expect(isShort(balance, move('adjust', -2))).toBe(false)
    expect(isShort(balance, move('adjust', -3))).toBe(true)
  })

  test('never where back-orders are allowed', () => {
    expect(isShort(balance, move('allocate', 1_000_000, lenient))).toBe(false)
  })

  test('never when it adds, even to a balance that stays too low', () => {
    expect(isShort({ sku: 'A', onHand: 0, allocated: 9 }, move('adjust', 1))).toBe(false)
  })

  test('never when it only carries out what was promised, unless it would arrive elsewhere', () => {
    const others = (Object.keys(movementKinds) as MovementKind[]).filter((kind) => !movementKinds[kind].needsStock)
    expect(others).toEqual(['release', 'sale', 'restock', 'transfer_out', 'transfer_in', 'write_off'])
    const isShortOf = (kind: MovementKind) => isShort({ sku: 'A', onHand: 0, allocated: 9 }, move(kind, 9))
    expect(others.filter(isShortOf)).toEqual(['transfer_out'])
    expect(isShort({ sku: 'A', onHand: 9, allocated: 9 }, move('transfer_out', 9))).toBe(false)
  })
})
