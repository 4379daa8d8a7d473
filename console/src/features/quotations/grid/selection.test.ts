import { describe, expect, test } from 'vitest'
import { moved, rangeOf, type Selection } from './selection.ts'

const size = { rows: 100, columns: 6, page: 10 }
const at = (row: number, column: number): Selection => ({ at: { row, column }, from: { row, column } })
const press = (key: string, more: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey', boolean>> = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
})

describe('a key in a grid', () => {
  test.each([
    ['ArrowDown', {}, 6, 2],
    ['ArrowUp', {}, 4, 2],
    ['ArrowLeft', {}, 5, 1],
    ['ArrowRight', {}, 5, 3],
    ['ArrowDown', { ctrlKey: true }, 99, 2],
    ['ArrowRight', { metaKey: true }, 5, 5],
    ['Home', {}, 5, 0],
    ['End', { ctrlKey: true }, 99, 5],
    ['PageDown', {}, 15, 2],
  ])('%s %o goes to row %i, column %i', (key, more, row, column) => {
    expect(moved(at(5, 2), press(key, more), size)).toEqual(at(row, column))
  })

  test('stays inside', () => {
    expect(moved(at(0, 0), press('ArrowUp'), size)).toEqual(at(0, 0))
    expect(moved(at(95, 5), press('PageDown'), size)).toEqual(at(99, 5))
  })

  test('makes the range larger with Shift, and smaller on the way back', () => {
    const down = moved(at(5, 2), press('ArrowDown', { shiftKey: true }), size) ?? at(0, 0)
    const wider = moved(down, press('ArrowLeft', { shiftKey: true }), size) ?? at(0, 0)
    expect(rangeOf(wider)).toEqual({ top: 5, bottom: 6, left: 1, right: 2 })
    expect(moved(wider, press('ArrowUp'), size)).toEqual(at(5, 1))
  })

  test('that moves nothing is none', () => {
    expect(moved(at(0, 0), press('x'), size)).toBeUndefined()
  })
})
