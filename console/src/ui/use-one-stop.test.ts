import { expect, test } from 'vitest'
import { stopAfter } from './use-one-stop.ts'

const pressed = { altKey: false, ctrlKey: false, metaKey: false }

test.each([
  ['ArrowLeft', 5, 4],
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 23, 23],
  ['Home', 5, 0],
  ['End', 5, 23],
  ['Enter', 5, undefined],
  ['Tab', 5, undefined],
])('%s leads from stop %i of 24 to %j', (key, at, next) => {
  expect(stopAfter({ ...pressed, key }, at, 24)).toBe(next)
})

test('an arrow with Alt is left to the browser', () => {
  expect(stopAfter({ ...pressed, altKey: true, key: 'ArrowLeft' }, 5, 24)).toBeUndefined()
})
