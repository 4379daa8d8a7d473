// npm test: every check there is; a failing one does not hide the next. For some tests only:
// npx vitest run <path>
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outsidePrograms } from './outside-programs.ts'
import { run } from './run.ts'
import { countTests, type TestCounts } from './test-counts.ts'
import { findTestPostgres, type TestPostgres } from './test-postgres.ts'

const isCi = process.env['CI'] === 'true'
const failed: string[] = []

const main = async (): Promise<void> => {
  await run('node', ['--disable-warning=ExperimentalWarning', 'tools/sdk/main.ts'])
  await runCheapChecks()
  const counts = await runTests()
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}\n`)
  console.log(
    `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}

const cheapChecks: readonly (readonly [string, string, readonly string[]])[] = [
  // One checker: several would check much of it twice, and the other checks keep the other processors busy.
  ['types', 'tsc', ['--noEmit', '--checkers', '1']],
  ['types of the console', 'tsc', ['--noEmit', '--checkers', '1', '-p', 'console']],
  ['types of its tests', 'tsc', ['--noEmit', '--checkers', '1', '-p', 'console/e2e']],
  ['types of the SDK', 'tsc', ['--noEmit', '--checkers', '1', '-p', 'sdk/typescript']],
  ['lint', 'oxlint', []],
  ['format', 'oxfmt', ['--check']],
  ['dependency rules', 'node', ['tools/check-dependencies.ts']],
]

/** Together, for none of them keeps two cores busy alone; their output in order. */
const runCheapChecks = async (): Promise<void> => {
  const runs = cheapChecks.map(([, command, args]) => run(command, args, { quiet: true }))
  for (const [index, [name]] of cheapChecks.entries()) {
    const outcome = await runs[index]
    heading(name)
    console.log(outcome?.isOk === true ? lastLine(outcome.output) : outcome?.output)
    if (outcome?.isOk !== true) failed.push(name)
  }
}

const runTests = async (): Promise<TestCounts> => {
  const postgres = await openPostgres()
  const scratch = mkdtempSync(join(tmpdir(), 'waybill-test-'))
  const [reportFile, browserFile] = [join(scratch, 'report.json'), join(scratch, 'browser.json')]
  try {
    heading(`tests (PostgreSQL: ${postgres?.origin ?? 'none'})`)
    const projects = postgres === undefined ? ['--project=embedded', '--project=e2e'] : ['--project=!browser']
    const env = {
      ...(postgres === undefined ? { TEST_WITHOUT_POSTGRES: '1' } : { TEST_DATABASE_URL: postgres.url }),
      ...lookForPrograms(),
      TEST_REPORT_FILE: reportFile,
    }
    const { isOk } = await run('vitest', ['run', ...projects], { env })
    if (!isOk) failed.push('tests')
    const counts = countsIn(reportFile)
    // A browser beside everything else would time its tests out on two cores.
    heading('tests of the console in a browser')
    const browser = await run('vitest', ['run', '--project=browser'], {
      env: { ...env, TEST_REPORT_FILE: browserFile },
    })
    if (!browser.isOk) failed.push('tests in a browser')
    return sumOf(counts, countsIn(browserFile))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await postgres?.close()
  }
}

/** There is no report when Vitest could not even begin. */
const countsIn = (reportFile: string): TestCounts =>
  existsSync(reportFile) ? countTests(readFileSync(reportFile, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }

const sumOf = (one: TestCounts, other: TestCounts): TestCounts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/** Doing without is for a machine that happens to have none, not for CI or one that was asked for. */
const openPostgres = async (): Promise<TestPostgres | undefined> => {
  try {
    return await findTestPostgres()
  } catch (error) {
    const isRequired = isCi || Boolean(process.env['TEST_DATABASE_URL'])
    if (isRequired) failed.push('PostgreSQL')
    console.log(isRequired ? '\nPostgreSQL is missing:' : '\nskipped: the tests on PostgreSQL:', error)
    return undefined
  }
}

/** As with PostgreSQL: a machine may have none, CI has to. @returns what tells the tests. */
const lookForPrograms = (): Record<string, string> => {
  const missing = outsidePrograms.filter(({ isThere }) => !isThere())
  for (const { name, tests, debian } of missing) {
    if (isCi) failed.push(name)
    console.log(`${isCi ? 'missing' : `skipped: the tests ${tests}, which need`} ${name} (Debian: ${debian})`)
  }
  return Object.fromEntries(missing.flatMap(({ without }) => (without === undefined ? [] : [[without, '1']])))
}

const heading = (text: string): void => console.log(`\n── ${text}`)

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) || 'ok'

await main()
