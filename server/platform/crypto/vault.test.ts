import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveKey } from './digests.ts'
import { makeVault } from './vault.ts'

const vault = makeVault('one secret key of at least 32 characters')

describe('the vault', () => {
  test('gives back what was put in', () => {
    const everyText = fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(vault.open(vault.seal(text))).toBe(text.toWellFormed())
    })
    expect(() => fc.assert(everyText)).not.toThrow()
  })

  test('never seals the same text to the same value', () => {
    expect(vault.seal('same')).not.toBe(vault.seal('same'))
  })

  test('does not show the text', () => {
    expect(vault.seal('whsec_visible')).not.toContain('visible')
  })

  test('refuses a value that was changed', () => {
    const parts = vault.seal('text to protect').split('.')
    const last = parts[4] ?? ''
    parts[4] = (last.startsWith('A') ? 'B' : 'A') + last.slice(1)
    expect(() => vault.open(parts.join('.'))).toThrow(/unable to authenticate/)
  })

  test('says which key a value of another installation needs', () => {
    const other = makeVault('another secret key of 32 characters or more')
    expect(() => other.open(vault.seal('text'))).toThrow(/encrypted with another SECRET_KEY \(key id/)
  })

  test('opens what any of its keys sealed, and seals with the first alone', () => {
    const [old, older] = ['the key before this one, 32 characters', 'the key before that one, 32 characters']
    const both = makeVault('one secret key of at least 32 characters', [old, older])
    for (const key of [old, older]) expect(both.open(makeVault(key).seal('text'))).toBe('text')
    expect(vault.open(both.seal('text'))).toBe('text')
    for (const key of [old, older]) expect(() => makeVault(key).open(both.seal('text'))).toThrow(/another SECRET_KEY/)
  })

  test('marks what a key sealed, the present one apart from those before it', () => {
    const old = 'the key before this one, 32 characters'
    const both = makeVault('one secret key of at least 32 characters', [
      old,
      'one secret key of at least 32 characters',
      old,
    ])
    expect(both.seal('text').startsWith(both.mark)).toBe(true)
    expect(both.earlierMarks).toEqual([makeVault(old).mark])
    expect(
      makeVault(old)
        .seal('text')
        .startsWith(both.earlierMarks[0] ?? '-'),
    ).toBe(true)
    expect(both.earlierMarks[0]).toHaveLength(both.mark.length)
  })

  test('names no key in its errors, only their ids', () => {
    const other = makeVault('one secret key of at least 32 characters', ['the key before this one, 32 characters'])
    const sealed = makeVault('a third key, of another installation').seal('text')
    expect(() => other.open(sealed)).toThrow(/^(?!.*(of at least|before this|third key))/)
  })

  test('each purpose has a key of its own', () => {
    const keys = (['secrets-at-rest', 'access-tokens', 'idempotency', 'links'] as const).map((purpose) =>
      deriveKey('one secret key of at least 32 characters', purpose).toString('hex'),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})
