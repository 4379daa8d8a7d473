import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { keptBytes, keptText } from './raw-texts.ts'

test.each([['a'], ['ş'], ['€'], ['😀']])(
  'a long text is cut between two characters, with a mark that says how much is missing: %s',
  (character) => {
    const text = character.repeat(40_000)
    const whole = Buffer.byteLength(text)
    const kept = keptText(text)
    const [start = '', missing = '0'] = kept.split(/\n\[cut: | bytes are missing\]$/u)
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(keptBytes)
    expect(text.startsWith(start)).toBe(true)
    expect(Number(missing)).toBe(whole > keptBytes ? whole - Buffer.byteLength(start) : 0)
    expect(keptText(kept)).toBe(kept)
  },
)

const secret = 's3cr3t9Q'
test.each([
  ['a login in a URL', (long: string) => `https://joe:${long}@h/p`],
  ['a member', (long: string) => `{"password": "${long}"}`],
  ['a private key', (long: string) => `-----BEGIN PRIVATE KEY-----\n${long}\n-----END PRIVATE KEY-----`],
  ['a JWT', (long: string) => `eyJhbGciOi.${long}`],
])('a text is masked before it is cut: %s', (_, form) => {
  // Masks that are shorter than what they replace bring the end of what is looked at into what is kept.
  const unit = '<token>1234567890123456789012345678901234567890</token> '
  for (const start of [60_000, 65_500, 81_900, 130_000])
    for (const before of ['x'.repeat(start), unit.repeat(start / unit.length)])
      expect(keptText(`${before} ${form(secret.repeat(1_000))}${' and more'.repeat(20_000)}`)).not.toContain('s3cr3t')
})
