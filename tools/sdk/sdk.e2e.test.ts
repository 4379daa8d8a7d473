import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findProgram } from '#testing/processes/find-program.ts'
import { projectRoot } from '../markdown.ts'
import { run } from '../run.ts'
import { casesOf, keyPair, secrets } from '../signature-cases.ts'
import { startSdkServer } from './sdk-server.ts'

// Runs the tests of both SDKs, each by its own language, against one server.

const { env: address, directory } = await startSdkServer()
const env = { ...address, SIGNATURE_CASES: join(directory, 'cases.json'), PYTHONDONTWRITEBYTECODE: '1' }

beforeAll(async () => {
  writeFileSync(env.SIGNATURE_CASES, JSON.stringify([...secrets, keyPair].flatMap(casesOf)))
  await outputOf('node', ['--disable-warning=ExperimentalWarning', 'tools/sdk/main.ts'])
})

/** @returns what it printed. @throws that, when it fails. */
const outputOf = async (
  command: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<string> => {
  const { isOk, output } = await run(command, args, { quiet: true, env: { ...env, ...more } })
  if (!isOk) throw new Error(output)
  return output
}

test('the TypeScript SDK does what its tests say', async () => {
  const tests = readdirSync(join(projectRoot, 'sdk/typescript/tests')).map((name) => `sdk/typescript/tests/${name}`)
  const output = await outputOf('node', ['--test', '--test-reporter=spec', ...tests])
  expect(output).toMatch(/pass \d{2}\b[^]*fail 0\b[^]*skipped 0\b/)
})

test.skipIf(findProgram('python3') === undefined)('the Python SDK does what its tests say', async () => {
  const output = await outputOf(
    'python3',
    ['-m', 'unittest', 'discover', '-t', 'sdk/python', '-s', 'sdk/python/tests'],
    {
      PYTHONPATH: 'sdk/python/src',
    },
  )
  expect(output).toMatch(/Ran \d{2} tests[^]*OK\n$/)
})
