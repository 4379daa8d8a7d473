import { expect, test } from 'vitest'
import { hashKey, keyedHash, newKey } from './random-keys.ts'

test('a key has 256 bits, begins with its kind, and is found by its hash', () => {
  const { key, hash, prefix } = newKey('api')
  expect(key).toMatch(/^wbk_[\w-]{43}$/)
  expect(hashKey(key)).toBe(hash)
  expect(prefix).toBe(key.slice(0, 12))
  expect(hash).not.toContain(key.slice(4))
  expect(newKey('api').key).not.toBe(key)
})

test('a keyed hash depends on the key', () => {
  const hash = keyedHash(Buffer.alloc(32, 1), 'someone')
  expect(keyedHash(Buffer.alloc(32, 1), 'someone')).toBe(hash)
  expect(keyedHash(Buffer.alloc(32, 2), 'someone')).not.toBe(hash)
})
