import { expect, test } from 'vitest'
import { conflictOf, newCondition, toConditions, toFilter } from './conditions.ts'

test('a filter of the API is written as conditions and read back the same', () => {
  const filter = {
    status: ['packed', 'shipped'],
    'items.quantity': { gte: 10, lt: 20 },
    number: '10',
    total: 10,
    awb_number: { exists: false },
    shipment: null,
    is_paid: true,
  }
  const conditions = toConditions(filter)
  expect(conditions).toHaveLength(8)
  expect(conditions.find(({ path }) => path === 'number')?.values).toEqual(['"10"'])
  expect(toFilter(conditions)).toEqual(filter)
})

test('what is not written yet is no condition', () => {
  expect(toFilter([newCondition(), newCondition({ path: 'status' })])).toBeUndefined()
})

test('a path has either a value or limits', () => {
  const limits = [
    newCondition({ path: 'total', operator: 'gt', values: ['1'] }),
    newCondition({ path: 'total', operator: 'lt', values: ['9'] }),
  ]
  expect(conflictOf(limits)).toBeUndefined()
  expect(conflictOf([...limits, newCondition({ path: 'total', values: ['5'] })])).toBe('total')
})
