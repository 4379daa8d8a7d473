import { expect, test } from 'vitest'
import type { Division } from './division-list.ts'
import { byName, linesOf, stepOf } from './tree.ts'

const division = (id: number, parent: number | null): Division => ({ id, parent }) as Division
const all = [division(1, null), division(2, 1), division(3, 2), division(4, 1), division(5, null), division(6, 99)]
const open = (): boolean => false
const shown = (isFolded: (id: number) => boolean): string[] =>
  linesOf(all, isFolded).map(({ division: { id }, level, place, siblings }) => `${level}:${id} ${place}/${siblings}`)

test('each division stands below its parent; one whose parent is left out stands at the top', () => {
  expect(shown(open)).toEqual(['1:1 1/3', '2:2 1/2', '3:3 1/1', '2:4 2/2', '1:5 2/3', '1:6 3/3'])
})

test('what hangs from a folded one is not drawn', () => {
  expect(shown((id) => id === 2)).toEqual(['1:1 1/3', '2:2 1/2', '2:4 2/2', '1:5 2/3', '1:6 3/3'])
})

test('a tree of any depth is drawn', () => {
  const deep = Array.from({ length: 20_000 }, (_, index) => division(index + 1, index === 0 ? null : index))
  expect(linesOf(deep, open).at(-1)).toMatchObject({ level: 20_000 })
})

test.each([
  ['ArrowDown', 0, { go: 1 }],
  ['ArrowUp', 1, { go: 0 }],
  ['ArrowUp', 0, undefined],
  ['End', 0, { go: 5 }],
  ['Home', 5, { go: 0 }],
  ['ArrowLeft', 0, { fold: 1, isFolded: true }],
  ['ArrowLeft', 3, { go: 0 }],
  ['ArrowRight', 0, { go: 1 }],
  ['ArrowRight', 2, undefined],
  ['a', 0, undefined],
])('%s on line %i', (key, at, step) => {
  expect(stepOf(key, linesOf(all, open), at, open)).toEqual(step)
})

test('a folded one is unfolded by the arrow to the right', () => {
  const isFolded = (id: number): boolean => id === 1
  expect(stepOf('ArrowRight', linesOf(all, isFolded), 0, isFolded)).toEqual({ fold: 1, isFolded: false })
})

test('numbers in names count as such, and letters as in the language', () => {
  const named = ['Şube 10', 'Şube 2', 'Zeta', 'Çan'].map((name, id) => ({ id, name }) as Division)
  expect(byName(named, 'tr').map(({ name }) => name)).toEqual(['Çan', 'Şube 2', 'Şube 10', 'Zeta'])
})
