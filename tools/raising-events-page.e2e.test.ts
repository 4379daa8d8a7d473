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

// Does what the page about raising events says, line by line. Only the two ports are other ones.

const blocks = codeBlocks(readDocument('docs/raising-events.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.find(({ kind }) => kind === 'text')?.text

const directory = mkdtempSync(join(tmpdir(), 'waybill-raising-'))
const toClose: (() => Promise<unknown>)[] = []
let answered = ''
let received = ''

beforeAll(async () => {
  const environment = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' }
  installDatabase(join(directory, 'data'))
  const server = await startServer(environment, directory)
  toClose.push(server.stop)
  const port = String(await freePort())
  const [, receive, logIn, raise] = steps.map((text) =>
    replaceEach(text, { 'http://127.0.0.1:4000': server.origin, '4100': port }),
  ) as [string, string, string, string]

  const receiver = keep(runInTerminal(receive, { cwd: projectRoot }))
  await receiver.says(/listening/)
  const you = keep(openTerminal({ cwd: projectRoot }))
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  await you.run(logIn)
  answered = await you.run(raise)
  await receiver.says(/-> 200/)
  // Time for a second one, which must not come.
  await sleep(1_000)
  received = receiver.output()
}, 60_000)

afterAll(async () => {
  for (const close of toClose.toReversed()) await close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the page about raising events', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('shows the answers as they are', () => {
    expect(answered.trim()).toBe(shown?.trim())
  })

  test('has a receiver that verifies the event, once', () => {
    expect(received.match(/verified shipment\.status\.updated .* -> 200/g)).toHaveLength(1)
    expect(received).not.toContain('refused')
  })
})

const keep = (terminal: Terminal): Terminal => {
  toClose.push(terminal.close)
  return terminal
}
