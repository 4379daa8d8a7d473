import { expect, test } from 'vitest'
import { briefOf, changesOf } from './changes.ts'

test('a change has what was there and what was sent', () => {
  expect(changesOf({ before: { is_staff: false, name: 'Elif' }, after: { is_staff: true, name: 'Elif' } })).toEqual([
    { name: 'is_staff', before: 'false', after: 'true', isSame: false },
    { name: 'name', before: 'Elif', after: 'Elif', isSame: true },
  ])
})

test('where it is not known what was there, nothing counts as unchanged', () => {
  expect(changesOf({ before: null, after: { scopes: ['hooks:read'] } })).toEqual([
    { name: 'scopes', before: undefined, after: '[\n "hooks:read"\n]', isSame: false },
  ])
  expect(changesOf({ before: null, after: null })).toEqual([])
})

test('one field is told with its value, several by their names', () => {
  expect(briefOf({ before: null, after: { is_active: false } })).toBe('is_active: false')
  expect(briefOf({ before: null, after: { name: 'A', scopes: [] } })).toBe('name, scopes')
  expect(briefOf({ before: null, after: null })).toBe('')
})
