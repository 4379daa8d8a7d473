import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeLogger } from '#platform/telemetry.ts'
import { nextSteps } from './next-steps.ts'

const server = import.meta.dirname
const sources = globSync('**/*.ts', { cwd: server })
  .filter((file) => !/\.test\.ts$|^testing|^commands/.test(file))
  .map((file) => readFileSync(join(server, file), 'utf8'))

/** Messages of all calls of `warn`, `error` and `fatal` of a log. */
const messages = sources.flatMap((source) =>
  [
    ...source.matchAll(/\blog\??\.(?:warn|error|fatal)\(([^;]*?)(?:'([\w.]+)'|`([\w.]+)\$\{change\}`)\s*,?\s*\)/g),
  ].flatMap(
    ([, , message, family]) => message ?? ['failing', 'disabled', 'recovered'].map((change) => `${family}${change}`),
  ),
)
const calls = sources.flatMap((source) => source.match(/\blog\??\.(?:warn|error|fatal)\(/g) ?? [])

test('every line that says that something is wrong says what to do next', () => {
  expect(calls.length).toBeGreaterThan(50)
  // One call has three messages.
  expect(messages.length).toBeGreaterThanOrEqual(calls.length)
  expect(messages.filter((message) => nextSteps[message] === undefined)).toEqual([])
  expect(Object.values(nextSteps).filter((step) => !/^(?:[A-Z]|npm run ).*[.?]$/.test(step))).toEqual([])
})

test('the step is in the line, with and without facts, and only where something is wrong', () => {
  const lines: Record<string, unknown>[] = []
  const log = makeLogger('debug', nextSteps, { write: (line) => void lines.push(JSON.parse(line)) })
  log.warn({ subscriptionId: 7, reason: 'timeout' }, 'delivery.failed')
  log.child({ reqId: 'r' }).error({ err: new Error('broken') }, 'request.failed')
  log.warn('backup.given_up')
  log.info({ subscriptionId: 7 }, 'delivery.failed')
  log.warn({ one: 1 }, 'something.else')
  expect(lines).toMatchObject([
    { msg: 'delivery.failed', subscriptionId: 7, reason: 'timeout', nextStep: nextSteps['delivery.failed'] },
    { msg: 'request.failed', reqId: 'r', err: { message: 'broken' }, nextStep: nextSteps['request.failed'] },
    { msg: 'backup.given_up', nextStep: nextSteps['backup.given_up'] },
    { msg: 'delivery.failed' },
    { msg: 'something.else', one: 1 },
  ])
  for (const line of lines.slice(3)) expect(line).not.toHaveProperty('nextStep')
})
