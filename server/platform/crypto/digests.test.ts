import { expect, test } from 'vitest'
import { isSameText } from './digests.ts'

test.each([
  ['abc', 'abc', true],
  ['', '', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  ['abc', '', false],
  ['é', 'e\u0301', false],
  // One is as long as the other in characters, not in bytes.
  ['é', 'e', false],
])('%j and %j: %j', (one, other, same) => expect(isSameText(one, other)).toBe(same))
