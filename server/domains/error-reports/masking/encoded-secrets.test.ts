import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { keptBytes, maskRaw } from './mask-raw.ts'

const nbsp = '\u00A0'

describe('a secret is masked however its name or its digits are written', () => {
  test.each([
    ['GET https://h/p?api%5Fkey=s3cr3t&x=1', 'GET https://h/p?api%5Fkey=***&x=1'],
    ['GET https://h/p?api%5fkey=s3cr3t&x=1', 'GET https://h/p?api%5fkey=***&x=1'],
    ['?api%2Dkey=s3cr3t', '?api%2Dkey=***'],
    ['?pass%77ord=s3cr3t&x=%5F', '?pass%77ord=***&x=%5F'],
    ['?%70%61%73%73%77%6F%72%64=s3cr3t', '?%70%61%73%73%77%6F%72%64=***'],
    ['next=https%3A%2F%2Fh%3Fapi%255Fkey%3Ds3cr3t%26x%3D1', 'next=https%3A%2F%2Fh%3Fapi%255Fkey%3D***%26x%3D1'],
    ['user%5Bpass%77ord%5D=s3cr3t&x=1', 'user%5Bpass%77ord%5D=***&x=1'],
    [
      String.raw`{"a":"\u0070assword=x1","api%5Fkey":"s3cr3t"}`,
      String.raw`{"a":"\u0070assword=***","api%5Fkey":"***"}`,
    ],
    [`paid with 4111${nbsp}1111${nbsp}1111${nbsp}1111.`, 'paid with ***.'],
    ['paid with 4111\u202F1111\u20091111\u20071111.', 'paid with ***.'],
    ['paid with 4111\u20111111\u20111111\u20111111.', 'paid with ***.'],
    ['card=4111%C2%A01111%C2%A01111%C2%A01111&x=1', 'card=***&x=1'],
    ['paid with 4111&nbsp;1111&nbsp;1111&nbsp;1111.', 'paid with ***.'],
    ['paid with ４１１１１１１１１１１１１１１１.', 'paid with ***.'],
    ['paid with ４１１１ １１１１ １１１１ １１１１.', 'paid with ***.'],
    ['paid with ٤١١١ ١١١١ ١١١١ ١١١١.', 'paid with ***.'],
    [String.raw`{"n":"4111\u00a01111\u00a01111\u00a01111"}`, '{"n":"***"}'],
    [
      String.raw`{"n":"\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11"}`,
      '{"n":"***"}',
    ],
    ['{"token_count": 5, "token": 6}', '{"token_count": 5, "token": "***"}'],
    ['{"token": {"count": 5}}', '{"token": "***"}'],
  ])('%j', (text, masked) => {
    expect(maskRaw(text)).toBe(masked)
    expect(maskRaw(masked)).toBe(masked)
  })
})

test.each([
  '{"token_count": 5}',
  '{"tokenCount": 5, "password_length": 12, "cookie-size": 4096}',
  'token_expires_in=3600&TOKEN_TYPE=bearer',
  'GET https://h/p?size%5Fname=XL&q=50%25%20off',
  `4111${nbsp}1111${nbsp}1111${nbsp}1112`,
  '４１１１１１１１１１１１１１１２',
  '100%5Foff: key%20missing',
])('what is no secret stays as it is written: %j', (text) => {
  expect(maskRaw(text)).toBe(text)
})

test.each([
  '%5F',
  '%70%61',
  'api%5Fkey=',
  '%2525252525252525',
  '%25',
  '４',
  '４ ',
  `4111${nbsp}`,
  '%C2%A0',
  '1&nbsp;',
  '\\uff14',
  '\\u00a0',
  'token_count',
  '_count',
])('a long text of %j takes no long time', (unit) => {
  const started = performance.now()
  const masked = maskRaw(unit.repeat(Math.ceil(1_048_576 / unit.length)))
  expect(Buffer.byteLength(masked)).toBeLessThanOrEqual(keptBytes)
  expect(performance.now() - started).toBeLessThan(3_000)
})
