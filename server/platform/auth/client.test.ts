import { expect, test } from 'vitest'
import { clientOf } from './client.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
  // What a trusted proxy forwards need not be one.
  ['unknown', ''],
  ['1'.repeat(5_000), ''],
])('the address %s is kept as %j', (ip, address) => {
  expect(clientOf({ ip })).toEqual({ address, userAgent: '' })
})
