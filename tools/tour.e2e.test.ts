import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, projectRoot, readDocument } from './markdown.ts'
import { openTerminal, runInTerminal, type Terminal } from './terminal.ts'
import { freePort } from './free-port.ts'
import { replaceEach } from './replace-each.ts'

// Does what the README's tour says, line by line, in a copy of the project, and checks that what the README
// promises happens. Only the two ports are other ones.

const blocks = codeBlocks(readDocument('README.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-'))
const shown = blocks.filter(({ kind }) => kind === 'text').flatMap(({ text }) => text.trim().split('\n'))

interface Arrival {
  readonly atMs: number
  readonly id: string
  readonly body: string
  readonly answer: string
}

/** What the receiver verified and printed. */
const arrivalsIn = (output: string): Arrival[] => {
  const form = /^(\d\d):(\d\d):(\S+) verified package\.created webhook-id=(\S+) body=(\S+) .* -> (\d+)$/gm
  return [...output.matchAll(form)].map(([, hours, minutes, seconds, id = '', body = '', answer = '']) => {
    const atMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
    return { atMs, id, body, answer }
  })
}

const opened: Terminal[] = []
let directory = ''
let said: string[] = []
let received = ''
let arrivals: Arrival[] = []

beforeAll(async () => {
  directory = copyOfProject()
  const [port, receiverPort] = [await freePort(), await freePort()]
  const [startServer, startReceiver, logIn, subscribe, fail, kill, startAgain, look] = steps.map(({ text }) =>
    replaceEach(text, { '4000': String(port), '4100': String(receiverPort) }),
  ) as [string, string, string, string, string, string, string, string]
  const options = { cwd: directory, env: { PORT: String(port) } }
  const open = (command: string): Terminal => keep(runInTerminal(command, options))

  const server = open(startServer)
  await server.says(/Waybill is ready/)
  const receiver = open(startReceiver)
  await receiver.says(/listening/)
  const you = keep(openTerminal(options))
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  await you.run(logIn)
  said = [await you.run(subscribe)]
  await receiver.says(/-> 200/)
  said.push(await you.run(fail))
  await receiver.says(/(-> 500.*){3}/s)
  // The receiver printed before the server has read the answer and stored it.
  await sleep(1_000)
  await you.run(kill)
  await server.ended()
  const again = open(startAgain)
  await again.says(/Waybill is ready/)
  await receiver.says(/-> 500.*-> 200/s)
  // As above.
  await sleep(1_000)
  said.push(await you.run(look))
  received = receiver.output()
  arrivals = arrivalsIn(received)
}, 180_000)

afterAll(async () => {
  for (const terminal of opened.toReversed()) await terminal.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the tour of the README', () => {
  test('has the steps that this test takes', () => {
    const terminals = steps.map(({ kind }) => kind.replace('bash terminal-', ''))
    expect(terminals.join(' ')).toBe('1 2 3 3 3 3 1 3')
  })

  test('answers each request with what was made', () => {
    const [made, failing] = said
    expect(made).toContain("event_type: 'package.created'")
    expect(made).toContain("retry_countdown_config: { choice: 'linear', kwargs: { base: 2 } }")
    expect(made).toContain("secret_key: '********'")
    expect(made).toContain("{ sku: 'CHAIR-OAK', on_hand: 10, allocated: 0, available: 10 }")
    expect(made).toMatch(/order_number: 'O-1001',\s.*status: 'created'/s)
    expect(failing?.trim()).toMatch(/^P-\d{4}-000002$/)
  })

  test('shows a verified delivery of the first package, and refuses none', () => {
    expect(arrivals.map(({ answer }) => answer)).toEqual(['200', '500', '500', '500', '200'])
    expect(received).not.toContain('refused')
  })

  test('shows what the receiver prints as it prints it', () => {
    const printed = new Set(received.split('\n').map(withoutValues))
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.map(withoutValues).filter((line) => !printed.has(line))).toEqual([])
  })

  test('waits at least 2, then 4, then 6 seconds', () => {
    const times = arrivals.slice(1).map(({ atMs }) => atMs)
    const waits = times.slice(1).map((time, index) => ((time - (times[index] ?? 0) + 86_400_000) % 86_400_000) / 1_000)
    for (const [index, planned] of [2, 4, 6].entries()) expect(waits[index]).toBeGreaterThan(planned - 0.05)
  })

  test('sends the same id and bytes before and after kill -9', () => {
    const [first, ...second] = arrivals
    expect(new Set(second.map(({ id }) => id)).size).toBe(1)
    expect(new Set(second.map(({ body }) => body)).size).toBe(1)
    expect(second[0]?.id).not.toBe(first?.id)
  })

  test('finds every attempt in the log of deliveries', () => {
    const look = said.at(-1) ?? ''
    expect(look).toContain(`uuid: '${arrivals.at(-1)?.id}'`)
    expect(look).toContain("status: 'delivered'")
    expect(look).toContain('attempt_count: 4')
    const attempts = [...look.matchAll(/\[ (\d), '[\dTZ:.-]+', '(\w+)', (\d+) \]/g)].map(([, ...attempt]) =>
      attempt.join(' '),
    )
    expect(attempts).toEqual(['1 retry 500', '2 retry 500', '3 retry 500', '4 delivered 200'])
  })
})

/** The sources, and node_modules entry by entry, so that nothing done to the copy can reach what it was made of. */
const copyOfProject = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'waybill-tour-'))
  for (const name of ['package.json', 'package-lock.json', 'server', 'docs', 'tools/prepare.mjs', 'tools/stamps.mjs']) {
    cpSync(join(projectRoot, name), join(copy, name), { recursive: true })
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

const keep = (terminal: Terminal): Terminal => {
  opened.push(terminal)
  return terminal
}

const withoutValues = (line: string): string =>
  line
    .replace(/^\d\d:\d\d:\d\d\.\d{3}/, 'TIME')
    .replace(/webhook-id=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/, 'webhook-id=ID')
    .replace(/body=[\da-f]{12}/, 'body=HASH')
    .replace(/v1,[\w+/]{43}=/, 'v1,SIGNATURE')
