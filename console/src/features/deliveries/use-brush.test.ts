import { expect, test } from 'vitest'
import { nextOf } from './use-brush.ts'

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })

test('arrows begin at the newest part and walk from there', () => {
  expect(nextOf(key('ArrowLeft'), undefined, 72)).toEqual({ from: 71, to: 71 })
  expect(nextOf(key('ArrowLeft'), { from: 71, to: 71 }, 72)).toEqual({ from: 70, to: 70 })
  expect(nextOf(key('ArrowRight'), { from: 71, to: 71 }, 72)).toEqual({ from: 71, to: 71 })
})

test('with shift the range grows from where it began', () => {
  expect(nextOf(key('ArrowLeft', true), { from: 70, to: 70 }, 72)).toEqual({ from: 70, to: 69 })
  expect(nextOf(key('Home', true), { from: 70, to: 69 }, 72)).toEqual({ from: 70, to: 0 })
})

test('Enter picks and Escape lets go, where there is something', () => {
  expect(nextOf(key('Enter'), { from: 1, to: 2 }, 72)).toBe('pick')
  expect(nextOf(key('Escape'), { from: 1, to: 2 }, 72)).toBe('none')
  expect(nextOf(key('Escape'), undefined, 72)).toBeUndefined()
})
