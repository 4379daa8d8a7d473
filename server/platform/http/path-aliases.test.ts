import { expect, test } from 'vitest'
import { withoutAlias } from './path-aliases.ts'

const aliases = [
  { prefix: '/b2b/basket', standsFor: '/api/v1/basket' },
  { prefix: '/b2b/my-divisions', standsFor: '/api/v1/my-divisions' },
]

test.each([
  ['/b2b/basket', '/api/v1/basket'],
  ['/b2b/basket/', '/api/v1/basket/'],
  ['/b2b/basket/7/load/?x=/b2b/basket', '/api/v1/basket/7/load/?x=/b2b/basket'],
  ['/b2b/my-divisions?page=2', '/api/v1/my-divisions?page=2'],
  // Other paths, some of which only begin like one.
  ['/b2b/baskets', '/b2b/baskets'],
  ['/b2b', '/b2b'],
  ['/api/v1/basket', '/api/v1/basket'],
  ['/x/b2b/basket', '/x/b2b/basket'],
])('%s is %s', (target, read) => {
  expect(withoutAlias(aliases, target)).toBe(read)
})
