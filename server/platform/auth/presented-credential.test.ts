import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { presentedCredential } from './presented-credential.ts'

const key = 'wbl_3q2-7w_A'
const jwt = 'eyJh.eyJz.c2ln'

describe('a credential is found in every accepted place', () => {
  const places: [string, string][] = [
    ['Authorization', 'Token $'],
    ['authorization', 'Bearer $'],
    ['AUTHORIZATION', 'Api-Key $'],
    ['Authorization', 'bEaReR   $'],
    ['Authorization', '$'],
    ['Authorization', '  $ '],
    ['X-Access-Token', '$'],
    ['x-access-token', '$'],
  ]
  test.each(places)('%s: %s', (name, form) => {
    expect(presentedCredential([name, form.replace('$', key)])).toEqual({ kind: 'key', text: key })
    expect(presentedCredential([name, form.replace('$', jwt)])).toEqual({ kind: 'jwt', text: jwt })
  })
})

test('without a credential there is none', () => {
  expect(presentedCredential([])).toEqual({ kind: 'none' })
  expect(presentedCredential(['Accept', 'authorization', 'X-Other', `Token ${key}`])).toEqual({ kind: 'none' })
})

test('the same credential presented twice is one', () => {
  const twice = ['Authorization', `Bearer ${key}`, 'x-access-token', key]
  expect(presentedCredential(twice)).toEqual({ kind: 'key', text: key })
})

describe('what is not one credential is unusable', () => {
  const headers: [string, string[]][] = [
    ['two different ones', ['Authorization', `Token ${key}`, 'x-access-token', 'wbl_other']],
    ['a repeated header', ['Authorization', `Token ${key}`, 'Authorization', 'Token wbl_other']],
    ['an empty one beside a good one', ['Authorization', '', 'x-access-token', key]],
    ['an empty header', ['Authorization', '']],
    ['another scheme', ['Authorization', 'Basic dTpw']],
    ['a scheme in x-access-token', ['x-access-token', `Token ${key}`]],
    ['two words after the scheme', ['Authorization', `Token ${key} ${key}`]],
    ['a comma', ['x-access-token', `${key}, ${key}`]],
    ['no ASCII', ['Authorization', 'Token schlüssel']],
    ['a NUL', ['Authorization', 'Token a\u0000b']],
    ['too long', ['Authorization', `Token ${'a'.repeat(8193)}`]],
  ]
  test.each(headers)('%s', (_, raw) => {
    expect(presentedCredential(raw)).toEqual({ kind: 'unusable' })
  })
})

test('a scheme without a value is no credential of anyone', () => {
  // It reads as a bare key of that name, which nobody has.
  expect(presentedCredential(['Authorization', 'Bearer '])).toEqual({ kind: 'key', text: 'Bearer' })
})

test('no header makes it throw or take long', { timeout: 20_000 }, () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('authorization', 'x-access-token'))), (raw) => {
      expect(['none', 'unusable', 'jwt', 'key']).toContain(presentedCredential(raw).kind)
    }),
  )
  expect(presentedCredential(['authorization', `Token ${' '.repeat(1_000_000)}x y`])).toEqual({ kind: 'unusable' })
})
