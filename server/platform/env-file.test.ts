import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { strayLines } from './env-file.ts'

test.each<[string, number[]]>([
  ['', []],
  ['PORT=4001\n\n# a comment\n  # another\nHOST=', []],
  ['PORT 4001', [1]],
  ['PORT=4001\nHOST 0.0.0.0\r\nexport LOG_LEVEL=warn\nSECRET_KEY\n', [2, 4]],
  ['MAIL_FROM="one\ntwo\nthree"\nstray\nPORT=1', [4]],
  ["A='x' # why\nB=`y\nz`\nstray", [4]],
  ['A="never closed\nstray', [2]],
])('of %j the lines that set nothing are %j', (text, lines) => {
  expect(strayLines(text)).toEqual(lines)
})

test('a value over several lines is one to Node.js too', () => {
  expect(parseEnv('A="one\ntwo"\nB=1')).toEqual({ A: 'one\ntwo', B: '1' })
})
