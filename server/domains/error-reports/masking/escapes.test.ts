import { expect, test, vi } from 'vitest'
import { maskRaw } from './mask-raw.ts'

/** How often something is looked for among the escapes of a text while it is masked. */
const readings = (text: string): number => {
  const read = vi.spyOn(String.prototype, 'matchAll')
  try {
    maskRaw(text)
    return read.mock.calls.filter(([pattern]) => pattern.source.includes('u(00')).length
  } finally {
    read.mockRestore()
  }
}

test.each([
  ['has no secret', ''],
  [
    'has secrets of many kinds',
    'token=s3cr3t https://joe:s3cr3t@h 4111111111111111 Bearer 8f3b01c2 eyJhbGciOiJIUzI1NiJ9.x ghp_8f3b01c2aa778f3b01c2 -u joe:8f3b01c2 ',
  ],
])('a text full of escapes that %s is decoded once', (_, secrets) => {
  const text = secrets + String.raw`\u0022%41`.repeat(1_000) + secrets
  expect(readings(text)).toBe(1)
  expect(maskRaw(text)).not.toMatch(/s3cr3t|4111|8f3b01c2|eyJ/u)
})
