import fastJsonStringify from 'fast-json-stringify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { nullable } from './serialization.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'

const row = Type.Object({
  time: Nullable(Timestamp),
  state: Nullable(OneOf(['open', 'resolved'])),
  count: Nullable(Type.Integer()),
  inner: Nullable(Type.Object({ name: Nullable(Type.String()) })),
  list: Nullable(Type.Array(Nullable(Type.String()))),
  either: Type.Union([Type.String(), Type.Integer(), Type.Null()]),
})
const rows = Type.Array(row)
const full = {
  time: '2026-11-21T09:30:00.000Z',
  state: 'open',
  count: 3,
  inner: { name: 'a "name"' },
  list: ['a', null],
  either: 7,
}
const empty = { time: null, state: null, count: null, inner: null, list: null, either: null }

test.each([[[full]], [[empty]], [[{ ...full, inner: { name: null }, list: [] }, empty]]])(
  'what is null or not is written as the union says',
  (value) => {
    const written = fastJsonStringify(nullable(rows) as object)(value)
    expect(JSON.parse(written)).toEqual(value)
    expect(written).toBe(fastJsonStringify(structuredClone(rows) as object)(value))
  },
)

test('no union of one schema and null is left', () => {
  const text = JSON.stringify(nullable(rows))
  expect(text.match(/anyOf/g)).toHaveLength(1)
  expect(JSON.stringify(nullable(row)).match(/"nullable":true/g)).toHaveLength(7)
})
