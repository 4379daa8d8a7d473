import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventRing } from './event-ring.ts'

const entryOf = (size: number) => ({
  topic: 'delivery',
  changes: Array.from({ length: size }, (_, index) => ({ item: { index }, audience: 'all' })),
  isCut: false,
})

test('what came after any position is known whole, or not at all once something of it was dropped', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 40 })
  const anyHistory = fc.property(sizes, fc.integer({ min: 0, max: 40 }), (all, from) => {
    const ring = new EventRing<string>(20)
    const positions = [ring.position]
    const placed = all.map((size) => {
      const entry = ring.add(entryOf(size))
      positions.push(ring.position)
      return entry
    })
    const place = Math.min(from, all.length)
    const missed = placed.slice(place)
    const isKept = all.slice(place).reduce((sum, size) => sum + size, 0) <= 20
    expect(ring.after(positions[place] ?? '')).toEqual(isKept ? missed : undefined)
  })
  expect(() => fc.assert(anyHistory)).not.toThrow()
})

test('ids of another ring, of the future and of no form lead nowhere, nor do any after it was told to forget', () => {
  const [ring, other] = [new EventRing<string>(20), new EventRing<string>(20)]
  ring.add(entryOf(1))
  const future = ring.position.replace(/\d+$/, '2')
  expect([other.position, future, '', 'x-1'].map((id) => ring.after(id))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
  const known = ring.position
  expect(ring.after(known)).toEqual([])
  ring.forget()
  expect(ring.after(known)).toBeUndefined()
})
