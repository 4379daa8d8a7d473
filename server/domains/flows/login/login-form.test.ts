import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLoginForm } from './login-form.ts'

const read = (text: string) => readLoginForm(Buffer.from(text))
const both = { username: 'u', password: 'p' }

describe('a login form', () => {
  test.each<[string, string, object]>([
    ['both', 'username=u&password=p', both],
    ['in any order, among others', 'grant=x&password=p&&username=u&y', both],
    ['plus for a space', 'username=u&password=a+b', { username: 'u', password: 'a b' }],
    ['an encoded plus', 'username=u%2Bx&password=p', { username: 'u+x', password: 'p' }],
    ['digits of any case', 'username=%c3%A9&password=p', { username: 'é', password: 'p' }],
    ['letters beyond ASCII as they are', 'username=u&password=schlüssel', { username: 'u', password: 'schlüssel' }],
    ['encoded names', 'user%6Eame=u&p%61ssword=p', both],
    ['more equals signs', 'username=u&password=a=b==', { username: 'u', password: 'a=b==' }],
    ['an encoded separator', 'username=u&password=a%26b%3Dc', { username: 'u', password: 'a&b=c' }],
    ['a line break', 'username=u&password=a%0D%0Ab\n', { username: 'u', password: 'a\r\nb\n' }],
    ['a byte order mark', 'username=u&password=%EF%BB%BFp', { username: 'u', password: '\uFEFFp' }],
    ['what is beyond the basic plane', 'username=u&password=%F0%9F%94%91', { username: 'u', password: '🔑' }],
    ['an empty text', 'username=&password=p', { username: '', password: 'p' }],
    ['broken other parameters', '%zz=1&x=%00&username=u&password=p&y=%ff', both],
  ])('with %s', (_, text, form) => {
    expect(read(text)).toEqual(form)
  })

  test.each([
    ['nothing', ''],
    ['the parameter twice', 'password=p&password=p'],
    ['the parameter twice, once encoded', 'password=p&p%61ssword=p'],
    ['a name without equals sign', 'password'],
    ['a name in another case', 'Password=p'],
    ['a list', 'password[]=p'],
    ['a percent sign alone', 'password=100%'],
    ['half an encoding', 'password=%4'],
    ['no hexadecimal digits', 'password=%zz'],
    ['an encoding of JavaScript', 'password=%u0041'],
    ['a NUL', 'password=a%00'],
    ['half a surrogate pair', 'password=%ED%A0%80'],
    ['bytes that are not UTF-8', 'password=%FF'],
    ['an overlong encoding', 'password=%C0%AF'],
    ['half a character', 'password=%C3'],
  ])('does not have what %s would say', (_, text) => {
    expect(read(`username=u&${text}`)).toEqual({ username: 'u' })
  })

  test('says what a browser put into it', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(text, text, fc.constantFrom('', 'a=b&', '%&'), (username, password, before) => {
        const form = new URLSearchParams({ username, password }).toString()
        expect(read(before + form)).toEqual({ username, password })
      }),
    )
  })

  test('can be any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const values = Object.values(readLoginForm(Buffer.from(bytes)))
        expect(values.every((value) => typeof value === 'string')).toBe(true)
      }),
    )
  })
})
