import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { codeBlocks, projectRoot, readDocument, tableOf } from './markdown.ts'
import { openTerminal, runInTerminal, type Terminal } from './terminal.ts'
import { freePort } from './free-port.ts'
import { linesOf, settingsIn } from './page-commands.ts'
import { replaceEach } from './replace-each.ts'

// Does what the page about quotations says, line by line. Only the ports and the directory for data are other ones.

const page = readDocument('docs/quotations.md')
const blocks = codeBlocks(page)
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-'))
const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text))

const directory = mkdtempSync(join(tmpdir(), 'waybill-quotations-'))
const toClose: (() => Promise<unknown>)[] = []
const said: string[] = []
let ordered = ''
let settings: Record<string, unknown> = {}

beforeAll(async () => {
  const port = String(await freePort())
  const start = replaceEach(steps[0]?.text ?? '', { '4200': port })
  installDatabase(join(directory, 'data'))
  const server = await startServer(settingsIn(start), directory)
  toClose.push(server.stop)
  const here = (text: string): string =>
    replaceEach(text, { 'http://127.0.0.1:4000': server.origin, '4200': port, 'data/': `${directory}/` })

  const you = keep(openTerminal({ cwd: projectRoot }))
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  let platform: Terminal | undefined
  for (const { kind, text } of steps.slice(1)) {
    if (kind === 'bash terminal-2') said.push(await you.run(here(text)))
    else {
      platform = keep(runInTerminal(here(text), { cwd: projectRoot }))
      await platform.says(/listening/)
    }
  }
  settings = JSON.parse(await you.run('api $URL/api/v1/settings/')) as typeof settings
  await platform?.says(/(is S-.*){5}/s)
  ordered = platform?.output() ?? ''
}, 180_000)

afterAll(async () => {
  for (const close of toClose.toReversed()) await close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the page about quotations', () => {
  test('shows the answers as they are', () => {
    // Each file of csv begins with a byte order mark.
    expect(linesOf(said).map((line) => line.replace('\uFEFF', ''))).toEqual(shown)
  })

  test('has a platform that gets each order once', () => {
    const orders = [...ordered.matchAll(/^Q-\d+-(\d+-\d+): (\d+) units for (\S+) EUR is S-\d+(.*)$/gm)]
    expect(orders.map(([, ...about]) => about.join(' ').trim()).toSorted()).toEqual([
      '000001-1 500 21375.00',
      '000001-2 400 41040.00',
      '000002-1 500 24950.00',
      '000002-2 400 43690.00',
      '000002-3 300 14970.00',
    ])
  })

  test('names every setting with its default', () => {
    const rows = tableOf(page, 'Setting', 'Default', 'Meaning')
    expect(Object.fromEntries(rows.map(([name = '', initial = '']) => [name, JSON.parse(initial) as unknown]))).toEqual(
      settings,
    )
  })
})

const keep = (terminal: Terminal): Terminal => {
  toClose.push(terminal.close)
  return terminal
}
