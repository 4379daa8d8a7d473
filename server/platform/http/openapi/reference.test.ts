import { expect, test } from 'vitest'
import { untickOptional } from './reference.ts'

test('requests to try leave out what is optional, and have what is required', () => {
  const list = {
    parameters: [
      { in: 'path', name: 'id', required: true },
      { in: 'query', name: 'page', schema: { default: 1, examples: [2] } },
      { in: 'query', name: 'since', required: true },
      { in: 'header', name: 'if-match', schema: { examples: ['"1"'] } },
    ],
  }
  const key = { in: 'header', name: 'Idempotency-Key' }
  untickOptional({ paths: { '/a/{id}': { get: list } }, components: { parameters: { key } } })
  const left = (value: unknown) => ({ examples: { default: { value, 'x-disabled': true } } })
  expect(list.parameters).toEqual([
    { in: 'path', name: 'id', required: true },
    expect.objectContaining(left(1)),
    { in: 'query', name: 'since', required: true },
    expect.objectContaining(left('"1"')),
  ])
  expect(key).toMatchObject(left(''))
})
