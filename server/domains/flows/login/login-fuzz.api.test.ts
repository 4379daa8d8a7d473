import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { app } = await makeTestApp()

const methods = fc.constantFrom('POST' as const, 'POST' as const, 'POST' as const, 'PUT' as const, 'GET' as const)
const paths = fc.tuple(
  fc.constantFrom('/api/nifi/login', '/api/nifi/login/', '/api/nifi/logi%6E'),
  fc.oneof(
    fc.constant(''),
    fc.webQueryParameters().map((query) => `?${query}`),
    fc.constant('?a=%00&%zz'),
  ),
)
const types = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('application/x-www-form-urlencoded', 'application/x-www-form-urlencoded;a="'),
  },
  fc.constantFrom(undefined, '', 'application/json', 'text/plain', ';', 'a/b;;c=', '/'),
  fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCodePoint(code)) }),
)
const parameter = fc.tuple(
  fc.constantFrom('username=', 'password=', 'username', 'pass%77ord=', 'x=', '='),
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('%', '0', 'f', 'F', '&', '=', '+', '%00', '%ED%A0%80', '\u00e9') }),
  ),
)
const bodies = fc.oneof(
  fc
    .array(parameter, { maxLength: 4 })
    .map((parameters) => Buffer.from(parameters.map((parts) => parts.join('')).join('&'))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

test('whatever is sent, the answer is a sentence, and it is not our fault', async () => {
  let asked = 0
  await fc.assert(
    fc.asyncProperty(methods, paths, types, bodies, async (method, path, type, payload) => {
      asked += 1
      const answer = await app.inject({
        method,
        url: path.join(''),
        ...(method === 'GET' ? {} : { payload }),
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
        remoteAddress: `10.1.${Math.trunc(asked / 256)}.${asked % 256}`,
      })
      expect([400, 405, 415, 429]).toContain(answer.statusCode)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body).toMatch(/^[A-Z].*\.$/)
    }),
    tries(100, 400),
  )
})
