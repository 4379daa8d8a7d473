import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromObjectId, newObjectId, parseObjectId, toObjectId } from './object-ids.ts'

describe('an object id', () => {
  test('has 24 hexadecimal digits, is new each time, and sorts by its second', () => {
    const earlier = newObjectId(new Date('2026-11-21T09:30:00Z'))
    const later = newObjectId(new Date('2026-11-21T09:30:01Z'))
    expect(earlier).toMatch(/^[0-9a-f]{24}$/)
    expect(newObjectId(new Date('2026-11-21T09:30:00Z'))).not.toBe(earlier)
    expect([later, earlier].toSorted()).toEqual([earlier, later])
  })

  test.each(['', 'abc', 'g'.repeat(24), '0'.repeat(23), '0'.repeat(25), `${'0'.repeat(24)}\n`])(
    'is none of other forms: %j',
    (text) => {
      expect(parseObjectId(text)).toBeUndefined()
      expect(fromObjectId(text)).toBeUndefined()
    },
  )

  test('means the same in upper case', () => {
    expect(parseObjectId('6AB0FF001122334455667788')).toBe('6ab0ff001122334455667788')
  })

  test('can stand for any 53-bit id, and for nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(fromObjectId(toObjectId(id))).toBe(id)
      }),
    )
    expect(fromObjectId('0'.repeat(24))).toBeUndefined()
    expect(fromObjectId('f'.repeat(24))).toBeUndefined()
  })
})
