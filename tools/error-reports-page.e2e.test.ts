import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { codeBlocks, projectRoot, readDocument } from './markdown.ts'
import { openTerminal, runInTerminal, type Terminal } from './terminal.ts'
import { freePort } from './free-port.ts'
import { linesOf, settingsIn } from './page-commands.ts'
import { replaceEach } from './replace-each.ts'

// Does what the page about error reports says, line by line. Only the ports and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/error-reports.md'))
const stepsOf = (terminal: number): string[] =>
  blocks.filter(({ kind }) => kind === `bash terminal-${terminal}`).map(({ text }) => text)
const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text))

const directory = mkdtempSync(join(tmpdir(), 'waybill-error-reports-'))
const toClose: (() => Promise<unknown>)[] = []
let answered: string[] = []
let received = ''

beforeAll(async () => {
  installDatabase(join(directory, 'data'))
  const server = await startServer(settingsIn(stepsOf(1)[0] ?? ''), directory)
  toClose.push(server.stop)
  const port = String(await freePort())
  const here = (text: string): string =>
    replaceEach(text, { 'http://127.0.0.1:4000': server.origin, '4100': port, 'data/': `${directory}/` })

  const receiver = keep(runInTerminal(here(stepsOf(3)[0] ?? ''), { cwd: projectRoot }))
  await receiver.says(/listening/)
  const you = keep(openTerminal({ cwd: projectRoot }))
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  const said: string[] = []
  for (const step of stepsOf(2).map(here)) {
    // What people wait for: the report of the delivery that failed, and that it is resolved.
    if (step.startsWith('failed=')) await isThere(you, 'action_content_type=delivery&is_ok=false')
    if (step.includes("$failed/ | json '.resolved_how'")) await isThere(you, 'action_content_type=delivery&is_ok=true')
    said.push(await you.run(step))
  }
  answered = linesOf(said)
  received = receiver.output()
}, 90_000)

afterAll(async () => {
  for (const close of toClose.toReversed()) await close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the page about error reports', () => {
  test('shows the answers as they are', () => {
    expect(answered).toEqual(shown)
  })

  test('has a receiver that gets the same delivery again until it takes it', () => {
    expect(
      [...received.matchAll(/verified stock_location\.created .* \((.*)\) -> (\d+)/g)].map(([, , code]) => code),
    ).toEqual(['500', '500', '200'])
    expect(received.match(/same bytes as before/g)).toHaveLength(2)
    expect(received).not.toContain('refused')
  })
})

/** Waits until some report fits. @throws after ten seconds. */
async function isThere(you: Terminal, query: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const count = await you.run(`api -o /dev/null -w '%header{x-total-count}\\n' "$URL/api/v1/error_reports/?${query}"`)
    if (Number(count) > 0) return
    await sleep(200)
  }
  throw new Error(`There is no report for ${query}.`)
}

const keep = (terminal: Terminal): Terminal => {
  toClose.push(terminal.close)
  return terminal
}
