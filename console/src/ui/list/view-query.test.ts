import { expect, test } from 'vitest'
import type { Filter } from './filters.ts'
import { searchOfView, viewQueryOf } from './view-query.ts'

const filters: readonly Filter[] = [
  { name: 'status', label: '', kind: 'choice', choices: [], isRepeatable: true },
  { name: 'created_date', label: '', kind: 'time' },
  { name: 'webhook', label: '', kind: 'number' },
]

test('a view is what a list shows without its page, and shows it again', () => {
  const search = { status: ['failed', 'held'], created_date__gte: '-24h', ordering: '-created_date', page: '3' }
  const query = viewQueryOf(filters, search)
  expect(query).toBe('status=failed&status=held&created_date__gte=-24h&ordering=-created_date')
  expect(searchOfView(filters, query)).toEqual({
    ...search,
    created_date__lt: undefined,
    webhook: undefined,
    page: undefined,
  })
})

test('an empty filter is a part of a view, as it keeps the first one away', () => {
  expect(viewQueryOf(filters, { created_date__gte: '' })).toBe('created_date__gte=')
  expect(searchOfView(filters, 'created_date__gte=')['created_date__gte']).toBe('')
})
