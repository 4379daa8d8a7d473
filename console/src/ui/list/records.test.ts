import { expect, test } from 'vitest'
import { offered } from './records.ts'

const found = [
  { id: '12', name: 'Q-2026-000005' },
  { id: '5', name: 'Q-2026-000012' },
]

test.each([
  ['', ['12', '5']],
  ['q-2026', ['12', '5']],
  ['5', ['5', '12']],
  ['7', ['7', '12', '5']],
  ['0', ['12', '5']],
])('after %j one can choose %j, a typed id first', (words, ids) => {
  expect(offered(found, words).map(({ id }) => id)).toEqual(ids)
})

test('what two questions found is offered once, where it was found first', () => {
  const names = offered([...found, { id: '6', name: 'Q-2026-000013' }, { id: '12', name: 'Autumn order' }], '')
  expect(names.map(({ name }) => name)).toEqual(['Q-2026-000005', 'Q-2026-000012', 'Q-2026-000013'])
})

test('an id that was not found is called by its number', () => {
  expect(offered([], '7')).toEqual([{ id: '7', name: '#7' }])
})
