import { describe, expect, test } from 'vitest'
import { hasChromium } from './support/chromium.ts'
import { firstLoad, firstLoadOf, gzipped, lazyParts } from './support/built-console.ts'

const kib = 1024
const maxFirstLoad = 320 * kib
const maxPart = 80 * kib
const maxFirstLoadOfShop = 200 * kib
const screenFile = /-(screen|drawer|pane)-/

// Without Chromium nobody has built the console for tests.
describe.skipIf(!hasChromium())('the built console', () => {
  test('what a browser fetches before the first screen is small', () => {
    const files = firstLoad()
    // The entry, its styles, and what React is in: less would mean that nothing was found.
    expect(files.size).toBeGreaterThan(5)
    expect([...files].some((name) => name.endsWith('.css'))).toBe(true)
    expect(gzipped(files)).toBeGreaterThan(100 * kib)
    expect(gzipped(files)).toBeLessThanOrEqual(maxFirstLoad)
  })

  test('each part that is fetched when it is needed is small', () => {
    const sizes = [...lazyParts()].map(([name, files]) => [name, gzipped(files)] as const)
    expect(sizes.filter(([name]) => screenFile.test(name)).length).toBeGreaterThan(8)
    expect(sizes.filter(([, size]) => size > maxPart)).toEqual([])
  })

  test.each([/^products-page-/, /^quotation-page-/])('a phone sees %s of the shop after a small load', (screen) => {
    const files = firstLoadOf('shop.html', screen)
    expect([...files].some((name) => name.startsWith('shop-'))).toBe(true)
    expect(gzipped(files)).toBeGreaterThan(80 * kib)
    expect(gzipped(files)).toBeLessThanOrEqual(maxFirstLoadOfShop)
  })

  test('no screen is part of the first load', () => {
    expect([...firstLoad()].filter((name) => screenFile.test(name))).toEqual([])
  })
})
