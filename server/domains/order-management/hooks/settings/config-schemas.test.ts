import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { withChecks } from '#platform/http/openapi/routes.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'
import { SentConfig, SentRetry } from './config-schemas.ts'
import { readConfig } from './hook-config.ts'
import { parseRetryConfig } from './retry-config.ts'

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const describes = {
  config: ajv.compile(withChecks({ ...SentConfig })),
  retry: ajv.compile(withChecks({ ...SentRetry })),
}
const isTaken = (read: (problems: Problems) => unknown): boolean => {
  try {
    const problems = collectProblems()
    read(problems)
    problems.throwIfAny()
    return true
  } catch {
    return false
  }
}
const urlProblem = (url: string) => (url.startsWith('https://') ? undefined : 'No.')

const basic = { auth_type: 'basic', username: 'shop', password: 'secret' }
const token = { auth_type: 'token', url: 'https://example.com/token', username: 'shop', password: 'secret' }

test.each<[isTaken: boolean, config: unknown]>([
  [true, null],
  [true, {}],
  [true, { own: { key: 1 }, callback: null }],
  [false, []],
  [false, 'standard'],
  [true, { auth: basic }],
  [true, { auth: null }],
  [true, { auth: token }],
  [true, { auth: { ...token, token_key: 'token', header_format: 'JWT {}' } }],
  [false, { auth: {} }],
  [false, { auth: { ...basic, auth_type: 'digest' } }],
  [false, { auth: { ...basic, url: token.url } }],
  [false, { auth: { ...basic, username: 'a:b' } }],
  [false, { auth: { ...basic, password: '' } }],
  [false, { auth: { ...basic, password: 'x'.repeat(257) } }],
  [false, { auth: { ...basic, password: 'a\nb' } }],
  [false, { auth: { ...token, url: 'ftp://example.com' } }],
  [false, { auth: { ...token, header_format: 'JWT' } }],
  [true, { signature: 'v1a' }],
  [true, { signature: null }],
  [false, { signature: 'v2' }],
  [true, { rate_limit: { per_second: 0.1 } }],
  [true, { rate_limit: { per_second: 10_000, burst: null } }],
  [true, { rate_limit: null }],
  [false, { rate_limit: {} }],
  [false, { rate_limit: { per_second: 0 } }],
  [false, { rate_limit: { per_second: 5, burst: 0.5 } }],
  [false, { rate_limit: { per_second: 5, per_minute: 5 } }],
  [true, { format: 'standard' }],
  [false, { format: 'cloudevents' }],
  [true, { max_attempts: 1 }],
  [true, { max_attempts: null }],
  [false, { max_attempts: 0 }],
  [false, { max_attempts: 101 }],
  [true, { order: 'object' }],
  [false, { order: 'all' }],
  [true, { filter: {} }],
  [true, { filter: { status: 'packed', 'items.quantity': { gte: 10, exists: true }, id: [1, null, true] } }],
  [false, { filter: [] }],
  [false, { filter: { 'no path': 1 } }],
  [false, { filter: { status: {} } }],
  [false, { filter: { status: [] } }],
  [false, { filter: { status: { like: 'p' } } }],
  [false, { filter: { status: { exists: 1 } } }],
  [false, { filter: { status: 'x'.repeat(257) } }],
  [false, { filter: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a${index}`, 1])) }],
  [false, { callback: 'run.me' }],
])('the API description takes a config as the server does: %j %j', (expected, config) => {
  expect(isTaken((problems) => readConfig(config, urlProblem, problems))).toBe(expected)
  expect(describes.config(config)).toBe(expected)
})

test.each<[isTaken: boolean, config: unknown]>([
  [true, null],
  [true, 'random'],
  [false, 'never'],
  [false, 7],
  [false, {}],
  [true, { choice: 'linear' }],
  [true, { choice: 'linear', kwargs: null }],
  [true, { choice: 'fixed', kwargs: { seconds: 60 } }],
  [true, { choice: 'linear', kwargs: { base: 0, limit: null } }],
  [true, { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 604_800 } }],
  [true, { choice: 'random', kwargs: { min_value: 30, max_value: 600 } }],
  [false, { choice: 'fixed', kwargs: {} }],
  [false, { choice: 'fixed', kwargs: { seconds: null } }],
  [false, { choice: 'fixed', kwargs: { seconds: 60, limit: 70 } }],
  [false, { choice: 'linear', kwargs: { base: 604_801 } }],
  [false, { choice: 'linear', kwargs: { base: 1.5 } }],
  [false, { choice: 'linear', args: [] }],
])('the API description takes a retry_countdown_config as the server does: %j %j', (expected, config) => {
  expect(isTaken((problems) => parseRetryConfig(config, problems))).toBe(expected)
  expect(describes.retry(config)).toBe(expected)
})
