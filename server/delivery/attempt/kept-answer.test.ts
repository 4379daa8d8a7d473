import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutSecrets } from './kept-answer.ts'

describe('what is kept of an answer', () => {
  test('has no secret that the request carried', () => {
    const kept = withoutSecrets(
      {
        headers: { 'x-echo': 'Bearer OWNERS-SECRET', 'content-type': 'text/plain' },
        body: '{"authorization":"Bearer OWNERS-SECRET","token":"OWNERS-SECRET","signature":"v1,AbCdEfGhIjKl="}',
      },
      ['Bearer OWNERS-SECRET', 'v1,AbCdEfGhIjKl= v1,second-signature='],
    )
    expect(kept).toEqual({
      headers: { 'x-echo': '********', 'content-type': 'text/plain' },
      body: '{"authorization":"********","token":"********","signature":"v1,********"}',
    })
  })

  test.each([
    ['a slash as PHP writes it', 'Bearer top/secret/token', String.raw`{"token":"top\/secret\/token"}`, 'top'],
    ['the value of a cookie alone', 'session=0123456789abcdef', 'hello 0123456789abcdef', '0123'],
    ['what the limit cut in the middle', 'Bearer OWNERS-SECRET-TOKEN', 'x'.repeat(100) + 'OWNERS-SECRET-TOK', 'OWNERS'],
  ])('has no secret: %s', (_what, sent, body, secret) => {
    const kept = withoutSecrets({ headers: null, body }, [sent])
    expect(kept.body).toContain('********')
    expect(kept.body).not.toContain(secret)
  })

  test('has no cookie', () => {
    const kept = withoutSecrets({ headers: { 'set-cookie': 'session=1', server: 'x' }, body: null }, [])
    expect(kept).toEqual({ headers: { 'set-cookie': '********', server: 'x' }, body: null })
  })

  test('is the answer itself when it repeats nothing, short words included', () => {
    const answer = { headers: { server: 'basic' }, body: 'a basic answer' }
    expect(withoutSecrets(answer, ['basic', 'another-secret'])).toEqual(answer)
    expect(withoutSecrets({ headers: null, body: null }, ['another-secret'])).toEqual({ headers: null, body: null })
  })

  test('never shows a secret of eight characters or more, wherever it is repeated, also as JSON', () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' })
      .filter((text) => !/[\s,;*]/.test(text))
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const body = before + value + JSON.stringify({ value }) + after
        expect(withoutSecrets({ headers: null, body }, [value]).body).not.toContain(value)
      }),
    )
  })
})
