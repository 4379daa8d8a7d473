import { describe, expect, test } from 'vitest'
import { safeNext } from './safe-next.ts'

describe('after the login', () => {
  test.each(['/', '/quotations/7?tab=history#c3', '/shop', '/search?next=//evil.example'])('%s is gone to', (page) => {
    expect(safeNext(page, '/')).toBe(page)
  })

  test.each(['/shop', '/shop/', '/shop?q=oak%20shelf', '/shop/quotations/7#lines'])(
    '%s is gone to in the shop',
    (page) => {
      expect(safeNext(page, '/shop')).toBe(page)
    },
  )

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/shop/..//evil.example',
    '/x/%2e%2e//evil.example',
    '//[',
    'https://evil.example/shop',
    'javascript:alert(1)',
    'quotations',
    7,
    undefined,
  ])('%j leads to no other server', (next) => {
    expect(safeNext(next, '/')).toBe('/')
  })

  test.each([
    '/shopping',
    '/shop/../login',
    '/shop/..//evil.example',
    '/shop\\..\\login',
    '/shop/%2e%2e/login',
    '//evil.example/shop',
  ])('%s leads to no page outside of the shop', (next) => {
    expect(safeNext(next, '/shop')).toBe('/shop')
  })
})
