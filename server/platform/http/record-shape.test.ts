import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { makeToWire } from './record-shape.ts'
import { Nullable, Timestamp } from './schemas.ts'

interface User {
  readonly id: number
  readonly firstName: string
  readonly passwordHash: string
  readonly divisionId: number | null
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly removedAt: Date | null
  readonly keys: readonly { readonly name: string; readonly hash: string }[]
}
const user: User = {
  id: 7,
  firstName: 'Ayşe',
  passwordHash: '$argon2id$…',
  divisionId: 3,
  scopes: ['hooks:read'],
  createdAt: new Date('2026-11-23T09:30:00Z'),
  removedAt: null,
  keys: [{ name: 'CI', hash: '9f86…' }],
}
const UserShape = Type.Object({
  id: Type.Integer(),
  first_name: Type.String(),
  division: Nullable(Type.Integer()),
  scopes: Type.Array(Type.String()),
  created_date: Timestamp,
  removed_date: Nullable(Timestamp),
  greeting: Type.String(),
})
const toWire = makeToWire<User, typeof UserShape, [word: string]>(UserShape, {
  division: 'divisionId',
  greeting: ({ firstName }, word) => `${word} ${firstName}`,
})

test('an answer has the fields that its shape names, and no other column of the row', () => {
  const answer = toWire(user, 'Hello')

  expect(answer).toEqual({
    id: 7,
    first_name: 'Ayşe',
    division: 3,
    scopes: ['hooks:read'],
    created_date: '2026-11-23T09:30:00.000Z',
    removed_date: null,
    greeting: 'Hello Ayşe',
  })
})

test('a column of objects is not shown by its name alone, because they can hold more than the shape says', () => {
  const Keys = Type.Object({ keys: Type.Array(Type.Object({ name: Type.String() })) })

  // @ts-expect-error -- `keys` has to be written out.
  makeToWire<User, typeof Keys>(Keys, {})
  const shown = makeToWire<User, typeof Keys>(Keys, { keys: ({ keys }) => keys.map(({ name }) => ({ name })) })

  expect(shown(user)).toEqual({ keys: [{ name: 'CI' }] })
})

test('a field that no column has the name of has to be written out', () => {
  const Wrong = Type.Object({ surname: Type.String() })

  // @ts-expect-error -- There is no column `surname`.
  expect(makeToWire<User, typeof Wrong>(Wrong, {})(user)).toEqual({ surname: undefined })
})
