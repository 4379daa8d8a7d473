import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorOf } from '../src/errors.ts'

interface Case {
  readonly body: unknown
  readonly message: string
  readonly code: string | null
  readonly fields: object
  readonly allowed_actions: readonly string[]
}
const cases = JSON.parse(readFileSync(new URL('../../error-cases.json', import.meta.url), 'utf8')) as Case[]

test('errors of every surface have one shape', async () => {
  for (const { body, message, code, fields, allowed_actions } of cases) {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const error = await errorOf(
      new Response(sent, { status: 400, headers: { 'x-request-id': 'r-1', 'retry-after': '7' } }),
    )
    assert.equal(error.message, `${message} (HTTP 400)`)
    assert.deepEqual(error.fields, fields)
    assert.deepEqual([error.code ?? null, error.allowedActions], [code, allowed_actions])
    assert.deepEqual([error.status, error.requestId, error.retryAfterSeconds, error.body], [400, 'r-1', 7, body])
  }
})
