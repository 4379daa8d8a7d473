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
import { replaceEach } from './replace-each.ts'

// Does what the page about project webhooks says, line by line. Only the ports and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/project-webhooks.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.find(({ kind }) => kind === 'text')?.text ?? ''
const eventsIn = (text: string): string[] =>
  [...text.matchAll(/verified (\S+) .* \(new\) -> 200/g)].map(([, event = '']) => event)

const directory = mkdtempSync(join(tmpdir(), 'waybill-projects-'))
const toClose: (() => Promise<unknown>)[] = []
const said: string[] = []
let received = ''

beforeAll(async () => {
  const environment = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' }
  installDatabase(join(directory, 'data'))
  const server = await startServer(environment, directory)
  toClose.push(server.stop)
  const port = String(await freePort())
  const [, account, project, subscribe, receive, happen, again] = steps.map((text) =>
    replaceEach(text, { 'http://127.0.0.1:4000': server.origin, '4100': port, 'data/': `${directory}/` }),
  ) as [string, string, string, string, string, string, string]

  const you = keep(openTerminal({ cwd: projectRoot }))
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  for (const lines of [account, project, subscribe]) said.push(await you.run(lines))
  const receiver = keep(runInTerminal(receive, { cwd: projectRoot }))
  await receiver.says(/listening/)
  said.push(await you.run(happen))
  await receiver.says(/(-> 200.*){3}/s)
  // The receiver printed before the server has read the answer and stored it.
  await sleep(1_000)
  said.push(await you.run(again))
  await receiver.says(/same bytes as before/)
  received = receiver.output()
}, 90_000)

afterAll(async () => {
  for (const close of toClose.toReversed()) await close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the page about project webhooks', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('shows what the receiver verifies', () => {
    expect(eventsIn(shown)).toHaveLength(3)
    expect(eventsIn(received).toSorted()).toEqual(eventsIn(shown).toSorted())
    expect(received).not.toContain('refused')
  })

  test('leads from no account to the log of deliveries', () => {
    expect(said.join('\n')).toMatch(/dev@example\.com[^]*X-Team[^]*succeeded[^]*'delivered', 200/)
  })
})

const keep = (terminal: Terminal): Terminal => {
  toClose.push(terminal.close)
  return terminal
}
