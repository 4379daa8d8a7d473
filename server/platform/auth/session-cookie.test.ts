import { expect, test } from 'vitest'
import { makeSessionCookie } from './session-cookie.ts'

const [key, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const publicUrl = undefined

test('a token is that of one login key, and of the server’s key', () => {
  const cookie = makeSessionCookie({ key, publicUrl })
  const token = cookie.csrfToken('wbl_one')
  expect(cookie.isCsrfToken('wbl_one', token)).toBe(true)
  for (const other of ['', `${token} `, token.slice(1), cookie.csrfToken('wbl_other')])
    expect(cookie.isCsrfToken('wbl_one', other)).toBe(false)
  expect(makeSessionCookie({ key: newer, publicUrl }).isCsrfToken('wbl_one', token)).toBe(false)
})

test('a token of an earlier key is good as long as that key is named', () => {
  const token = makeSessionCookie({ key, publicUrl }).csrfToken('wbl_one')
  const changed = makeSessionCookie({ key: newer, earlierKeys: [key], publicUrl })
  expect(changed.isCsrfToken('wbl_one', token)).toBe(true)
  expect(changed.csrfToken('wbl_one')).not.toBe(token)
})

test.each([undefined, 'http://waybill.example'])('over %s it is named plainly', (url) => {
  const cookie = makeSessionCookie({ key, publicUrl: url })
  expect(cookie.setTo('wbl_one')).toBe('waybill_session=wbl_one; Path=/; HttpOnly; SameSite=Strict')
  expect(cookie.cleared).toBe('waybill_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
})

test('over TLS no other host can set it, and it goes nowhere without', () => {
  const cookie = makeSessionCookie({ key, publicUrl: 'HTTPS://waybill.example/' })
  expect(cookie.setTo('wbl_one')).toBe('__Host-waybill_session=wbl_one; Path=/; HttpOnly; SameSite=Strict; Secure')
})
