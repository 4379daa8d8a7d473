import { expect, test } from 'vitest'
import { cellOf } from './cells.ts'

test.each([
  ['0', 0],
  ['-12.50', -12.5],
  ['123456789012345', 123_456_789_012_345],
  ['0.000000000000000123', 1.23e-16],
  ['1e+20', 1e20],
  // A sheet would show another number.
  ['1234567890123456', '1234567890123456'],
  ['1234567890123.4567', '1234567890123.4567'],
  ['-1.234567890123456e-7', '-1.234567890123456e-7'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['', ''],
])('the number %j is kept as %j', (text, cell) => {
  expect(cellOf.number(text)).toBe(cell)
})

test.each([
  ['1900-03-01T00:00:00.000Z', 61],
  ['2026-11-21T12:00:00.000Z', 46_347.5],
  ['9999-12-31T00:00:00.000Z', 2_958_465],
  // No sheet has these.
  ['1900-02-28T23:59:59.999Z', '1900-02-28T23:59:59.999Z'],
  ['+010000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
  ['infinity', 'infinity'],
])('the time %j is kept as %j', (text, cell) => {
  expect(cellOf.time(text)).toBe(cell)
})

test('a text is cut only when no cell holds it, and between characters', () => {
  expect(cellOf.text('a'.repeat(32_767))).toBe('a'.repeat(32_767))
  for (const start of ['', 'a']) {
    const text = String(cellOf.text(start + '👩'.repeat(20_000)))
    expect(text.length).toBeGreaterThan(32_764)
    expect(text.length).toBeLessThanOrEqual(32_767)
    expect(text.isWellFormed()).toBe(true)
    expect(text).toContain(`… [cut, ${start.length + 40_000} characters]`)
  }
})
