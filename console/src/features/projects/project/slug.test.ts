import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Waybill for drivers', 'waybill-for-drivers'],
  ['  Şoför & Kurye Işığı İstanbul  ', 'sofor-kurye-isigi-istanbul'],
  ['Größe 2.0', 'grosse-2-0'],
  ['…', ''],
  ['日本', ''],
  ['a'.repeat(200), 'a'.repeat(100)],
  [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
])('%j is called %j in addresses', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
