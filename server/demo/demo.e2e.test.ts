import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProgram } from '#testing/processes/start-program.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-demo-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Starts a program. @returns how it ended and what it said. @param whenReady is told what it said until then, and it is stopped after that. */
const run = async (
  program: string,
  args: readonly string[],
  whenReady: (output: string) => Promise<unknown> = async () => undefined,
) => {
  const environment = { LOG_LEVEL: 'error', PORT: '0', DATA_DIR: join(directory, 'demo') }
  const child = startProgram(program, { args, directory, environment })
  let output = ''
  let isReady = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (isReady || !/Waybill is ready[^]*Member of an organization: .*\n/.test(output)) return
      isReady = true
      whenReady(output).then(
        () => child.kill('SIGINT'),
        (error: unknown) => {
          output += String(error)
          child.kill('SIGKILL')
        },
      )
    })
  await once(child, 'close')
  return { status: child.exitCode, output }
}

const lists = [
  '/api/v1/users/',
  '/api/v1/divisions/',
  '/api/v1/products/',
  '/api/v1/prices/',
  '/api/v1/stock_locations/',
  ...['created', 'transitioned', 'packed', 'shipped', 'packed_for_refund', 'cancelled'].map(
    (status) => `/api/v1/packages/?status=${status}`,
  ),
  ...['in_transit', 'out_for_delivery', 'delivered', 'failed', 'returned'].map(
    (status) => `/api/v1/shipments/?status=${status}`,
  ),
  ...['created', 'in_transit', 'transferred', 'cancelled'].map((status) => `/api/v1/transfers/?status=${status}`),
  '/api/v1/event_types/',
  ...[
    'request_approval',
    'pending',
    'draft',
    'sending_approval_request',
    'approved',
    'rejected',
    'cancelled',
    'expired',
  ].map((status) => `/api/v1/quotations/?status=${status}`),
  ...['created', 'pending', 'failed'].map((status) => `/api/v1/orders/?status=${status}`),
  '/api/v1/organizations',
  '/api/nifi/flows',
  '/api/nifi/flows/1/runs',
  '/api/v1/error_reports/',
  ...['open', 'resolved', 'ignored'].map((state) => `/api/v1/error_report_groups/?state=${state}`),
  '/api/v1/place_mappings/',
  '/api/v1/mails/',
  '/whisperer/hooks/',
  ...['delivered', 'pending', 'failed', 'held'].map((status) => `/whisperer/hook_events/?status=${status}`),
]

/** Logs the superuser in, and counts what each list has. */
const look = async (output: string): Promise<Readonly<Record<string, number>>> => {
  const origin = /Waybill is ready at (\S+)/.exec(output)?.[1] ?? ''
  const [, username, password] = /Superuser: (\S+), password: (\S+)/.exec(output) ?? []
  const login = await fetch(`${origin}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { key } = (await login.json()) as { key: string }
  const counts: Record<string, number> = {}
  for (const path of lists) {
    const url = `${origin}${path}${path.includes('?') ? '&' : '?'}limit=1`
    const answer = await fetch(url, { headers: { authorization: `Token ${key}` } })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    const body = (await answer.json()) as { readonly count?: number }
    counts[path] = body.count ?? Number(answer.headers.get('x-total-count'))
  }
  return counts
}

let first: Awaited<ReturnType<typeof run>>
let again: Awaited<ReturnType<typeof run>>
let doctor: Awaited<ReturnType<typeof run>>
let counts: Readonly<Record<string, number>> = {}
let countsAgain: Readonly<Record<string, number>> = {}

beforeAll(async () => {
  first = await run('server/main.ts', ['--demo'], async (output) => (counts = await look(output)))
  doctor = await run('server/waybill.ts', ['doctor'])
  again = await run('server/main.ts', ['--demo'], async (output) => (countsAgain = await look(output)))
}, 300_000)

test('a demo is made in an empty folder, and its logins are printed', () => {
  expect(first).toMatchObject({ status: 0, output: expect.stringContaining('Making a demo') })
  expect(first.output.match(/password: /g)).toHaveLength(5)
})

test('there is something of everything', () => {
  expect(Object.keys(counts)).toEqual(lists)
  expect(Object.entries(counts).filter(([, count]) => !(count > 0))).toEqual([])
})

test('the doctor finds nothing wrong in it', () => {
  expect(doctor).toMatchObject({ status: 0, output: expect.stringContaining('All is well') })
})

test('a second start makes nothing, and prints the same logins', () => {
  expect(again.status).toBe(0)
  expect(again.output).not.toContain('Making a demo')
  const logins = /^.*password: .*$/gm
  expect(again.output.match(logins)).toEqual(first.output.match(logins))
  const made = ['/api/v1/users/', '/api/v1/products/', '/api/v1/packages/?status=cancelled', '/whisperer/hooks/']
  for (const path of made) expect([path, countsAgain[path]]).toEqual([path, counts[path]])
})

test('a folder with anything else in it is refused and left alone', async () => {
  const other = join(directory, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'letter.txt'), 'Dear Sir or Madam')
  const child = startProgram('server/main.ts', { args: ['--demo'], directory, environment: { DATA_DIR: other } })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  expect([child.exitCode, output]).toEqual([1, expect.stringContaining('holds something else than a demo')])
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(readdirSync(other)).toEqual(['letter.txt'])
})

test('no data folder of the usual name is made', () => {
  expect(existsSync(join(directory, 'data'))).toBe(false)
})
