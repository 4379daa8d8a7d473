import { expect, test } from 'vitest'
import { tokenGrantOf } from './auth-routes.ts'

const fieldsOf = (request: Parameters<typeof tokenGrantOf>[0]): string[] => {
  try {
    tokenGrantOf(request)
    return []
  } catch (error) {
    return Object.keys((error as { details: { fields: object } }).details.fields)
  }
}

test('tokens are given for a name and a password, or for a refresh token', () => {
  expect(tokenGrantOf({ username: 'a', password: 'b' })).toEqual({ kind: 'password', username: 'a', password: 'b' })
  expect(tokenGrantOf({ refresh_token: 'c' })).toEqual({ kind: 'refresh', refreshToken: 'c' })
})

test('what is missing is named, and both at once are refused', () => {
  expect(fieldsOf({})).toEqual(['username', 'password'])
  expect(fieldsOf({ username: 'a' })).toEqual(['password'])
  expect(fieldsOf({ password: 'b' })).toEqual(['username'])
  expect(fieldsOf({ username: 'a', refresh_token: 'c' })).toEqual(['refresh_token'])
})
