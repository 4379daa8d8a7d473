import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { runWaybill } from '#testing/processes/run-waybill.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'

// Runs the commands of the page about the command line. `waybill move-to` has a test of its own.

const page = readDocument('docs/command-line.md')
const blocks = codeBlocks(page)
const blocksOf = (kind: string): string =>
  blocks
    .filter((block) => block.kind === `bash ${kind}`)
    .map(({ text }) => text)
    .join('\n')

const directory = mkdtempSync(join(tmpdir(), 'waybill-page-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const root = join(import.meta.dirname, '..')
const program = join(directory, 'waybill')
writeFileSync(
  program,
  `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${root}/server/waybill.ts' "$@"\n`,
)
chmodSync(program, 0o755)

/** Runs a script to its end; a command that fails ends it. */
const bash = async (script: string, environment: Readonly<Record<string, string>>) => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { PATH: `${directory}:${process.env['PATH']}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, output }
}

const settings = {
  LOG_LEVEL: 'warn',
  DATA_DIR: join(directory, 'data'),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
}

test('its commands work beside a server, and those about the installation after it', async () => {
  installDatabase(settings.DATA_DIR)
  const server = await startServer(settings, directory)
  const listener = blocksOf('listen').trim().replace('4100', '0')
  const withListener = blocksOf('server').replace(
    'waybill events send',
    `${listener} > listened 2>&1 & listening=$!\nuntil grep -q 'Listening at' listened; do sleep 0.1; done\nwaybill events send`,
  )
  const end = `until grep -q 'wms\\|verified package.created' listened; do sleep 0.1; done\nkill -INT $listening; wait $listening; cat listened`
  const { status, output } = await bash(`${withListener}\n${end}`, { WAYBILL_SERVER: server.origin })
  expect([status, output]).toEqual([0, expect.stringContaining('verified package.created')])
  expect(output).toMatch(/Hook \d+ was removed/)
  expect(output).toContain('Nothing to do')
  expect(await server.stop()).toBe(0)

  const after = await bash(blocksOf('stopped'), settings)
  expect([after.status, after.output]).toEqual([0, expect.stringContaining('All is well')])
  expect(existsSync(join(directory, 'data-restored/database'))).toBe(true)
}, 180_000)

test('bash completes commands and flags', async () => {
  const complete = (line: string) =>
    `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _waybill; echo "\${COMPREPLY[@]}"`
  const { status, output } = await bash(
    `set +u\n${blocksOf('completion')}\n${complete('waybill users re')}\n${complete('waybill doctor --re')}`,
    {},
  )
  expect([status, output]).toEqual([0, 'reset-password\n--repair\n'])
})

test('its table has every exit code, and it names every command', async () => {
  const { exitCodes } = await import('../server/commands/failure.ts')
  expect(tableOf(page, 'Exit code', '').map(([code]) => Number(code))).toEqual(Object.values(exitCodes))
  const { output } = await runWaybill(['--help'])
  const commands = [...output.slice(output.indexOf('COMMANDS')).matchAll(/^  ([\w-]+) /gm)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((name) => !page.includes(name))).toEqual([])
})
