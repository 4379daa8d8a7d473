import { expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call } = await makeTestApp()

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}
const { paths } = (await call('GET', '/openapi.json')).json<Document>()
// The background services of this application are not started, so it is not ready. Logging out would end the session, and the
// answer of a stream does not end.
const without = new Set(['/readyz', '/api/v1/auth/logout', '/api/v1/stream'])
const operations = Object.entries(paths)
  .filter(([path]) => !without.has(path))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase() as 'GET', path })))

/** Ids of the right form that nothing has: 24 hex digits on the project surface, numbers elsewhere. */
const withIds = (path: string): string =>
  path.replaceAll(/\{\w+\}/g, path.startsWith('/api/v1/organizations') ? '0'.repeat(24) : '999999')

// Schemas are compiled with the first request that needs them, so one that cannot be compiled shows only here.
test('no operation answers 5xx, whether it is called with an empty body, with nothing, or with an unknown parameter', async () => {
  expect(operations.length).toBeGreaterThan(200)
  const broken: string[] = []
  for (const { method, path } of operations) {
    for (const [query, body] of [
      ['', method === 'GET' ? undefined : {}],
      ['?unknown=1', undefined],
    ] as const) {
      const { statusCode, body: answer } = await call(method, withIds(path) + query, body)
      if (statusCode >= 500) broken.push(`${method} ${path} ${statusCode} ${answer}`)
    }
  }
  expect(broken).toEqual([])
  expect((await call('GET', '/api/v1/auth/me/')).statusCode).toBe(200)
})
