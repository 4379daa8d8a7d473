import { describe, expect, test } from 'vitest'
import { allScopes, mayCall, type Principal, type Scope } from './principal.ts'

const who = (fields: Partial<Principal>): Principal => ({
  userId: 1,
  email: 'someone@example.com',
  isStaff: false,
  isSuperuser: false,
  divisionId: null,
  scopes: null,
  ...fields,
})

test('each role includes those above it', () => {
  const roles = ['user', 'staff', 'superuser'] as const
  const allowed = (fields: Partial<Principal>) => roles.filter((role) => mayCall(who(fields), { role }))
  expect(allowed({})).toEqual(['user'])
  expect(allowed({ isStaff: true })).toEqual(['user', 'staff'])
  expect(allowed({ isSuperuser: true })).toEqual(['user', 'staff', 'superuser'])
})

describe('a limited key', () => {
  const includes = (held: Scope, wanted: Scope): boolean =>
    held === wanted || held.replace(':write', ':read') === wanted
  const pairs = allScopes.flatMap((held) => allScopes.map((wanted) => [held, wanted] as const))

  test.each(pairs)('with %s, where %s is asked for', (held, wanted) => {
    expect(mayCall(who({ scopes: [held] }), { role: 'user', scope: wanted })).toBe(includes(held, wanted))
  })
  test('may not call what asks for no scope', () => {
    expect(mayCall(who({ scopes: allScopes }), { role: 'user' })).toBe(false)
    expect(mayCall(who({ scopes: null }), { role: 'user' })).toBe(true)
  })
  test('may call what any key will do for, even with no scope at all', () => {
    expect(mayCall(who({ scopes: [] }), { role: 'user', scope: 'any' })).toBe(true)
  })
  test('gives no role that its user lacks', () => {
    expect(mayCall(who({ scopes: ['hooks:write'] }), { role: 'staff', scope: 'hooks:read' })).toBe(false)
  })
})
