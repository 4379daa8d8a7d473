import { describe, expect, test } from 'vitest'
import { isMailAddress, mailboxOf } from './mailbox.ts'

describe('a mailbox', () => {
  test.each([
    ['ann@shop.example', { name: '', address: 'ann@shop.example' }],
    ['Ann <ann@shop.example>', { name: 'Ann', address: 'ann@shop.example' }],
    ['"Ann, of sales" <ann@shop.example>', { name: 'Ann, of sales', address: 'ann@shop.example' }],
    ['Çağla Öz <cagla@örnek.example>', { name: 'Çağla Öz', address: 'cagla@örnek.example' }],
    ['<ann@shop.example>', { name: '', address: 'ann@shop.example' }],
  ])('%s is read', (text, mailbox) => {
    expect(mailboxOf(text)).toEqual(mailbox)
  })

  test.each([
    'Ann',
    'Ann <ann>',
    'Ann ann@shop.example',
    'Ann <ann@shop.example> and others',
    'Ann <<ann@shop.example>>',
    'Ann\r\nBcc: bob@shop.example <ann@shop.example>',
    '',
  ])('%j is none', (text) => {
    expect(mailboxOf(text)).toBeUndefined()
  })
})

describe('an address', () => {
  test.each([
    'ann@shop.example\r\nRCPT TO:<bob@shop.example>',
    'ann@shop.example,bob@shop.example',
    'ann@shop.example>',
    'ann@@shop.example',
    '@shop.example',
    'ann@',
    `${'a'.repeat(250)}@b.example`,
  ])('%j is not one plain address', (text) => {
    expect(isMailAddress(text)).toBe(false)
  })
})
