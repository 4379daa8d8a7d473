import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { runWaybill } from '#testing/processes/run-waybill.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { startProgram } from '#testing/processes/start-program.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { freePort } from '../../../tools/free-port.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-api-commands-'))
const admin = { email: 'admin@waybill.test', password: 'correct horse battery' }
const login = ['--login', admin.email]
const receiver = await makeReceiver()
let server: ServerProcess
let environment: Record<string, string> = {}

const openServer = async (name: string): Promise<ServerProcess> => {
  const settings = {
    LOG_LEVEL: 'warn',
    DATA_DIR: join(directory, name),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  }
  installDatabase(settings.DATA_DIR)
  return startServer(settings, directory)
}
const keyOf = async ({ origin }: ServerProcess): Promise<Record<string, string>> => {
  const made = await runWaybill(['keys', 'make', 'test', ...login, '--server', origin], {
    input: `${admin.password}\n`,
  })
  return { WAYBILL_SERVER: origin, WAYBILL_KEY: made.output.trim() }
}

beforeAll(async () => {
  server = await openServer('first')
  environment = await keyOf(server)
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

const waybill = (...args: string[]) => runWaybill(args, { environment, directory })
const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Api-Key ${environment['WAYBILL_KEY']}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T
}

const types = [
  {
    name: 'wms.moved',
    description: 'Moved.',
    schema: { type: 'object', required: ['id'] },
    example: null,
    is_active: true,
  },
]
const hook = {
  event_type: 'wms.moved',
  target_url: receiver.url,
  is_active: true,
  secret_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  config: { max_attempts: 2, filter: { id: 7 } },
}
const file = join(directory, 'configuration.json')
const write = (value: object): void => writeFileSync(file, JSON.stringify({ waybill_configuration: 1, ...value }))

describe('export and import', () => {
  test('import says what it would change, changes it, and then has nothing to do; export says the same', async () => {
    const { config } = hook
    write({ event_types: types, hooks: [hook], settings: { QUOTATION_VALID_DAYS: 11 } })
    const changes = [
      'make event type wms.moved',
      `make hook for wms.moved to ${receiver.url}`,
      'change settings QUOTATION_VALID_DAYS',
    ]
    expect(await waybill('import', file, '--dry-run')).toEqual({
      status: 0,
      errors: '',
      output: changes.map((change) => `would ${change}\n`).join(''),
    })
    expect(await ask('GET', '/whisperer/hooks/')).toEqual([])
    expect(JSON.parse((await waybill('import', file, '--json')).output)).toEqual({
      dry_run: false,
      changes: changes.map((what) => ({ what })),
    })

    const exported = join(directory, 'exported.json')
    expect((await waybill('export', '--file', exported)).status).toBe(0)
    const text = readFileSync(exported, 'utf8')
    expect(text).not.toContain(hook.secret_key)
    expect(JSON.parse(text)).toMatchObject({
      event_types: types,
      hooks: [{ target_url: receiver.url, config, secret_key: '********' }],
      settings: { QUOTATION_VALID_DAYS: 11 },
    })
    expect((await waybill('import', exported)).output).toBe('Nothing to do: the server is as the file says.\n')

    write({
      event_types: [{ ...types[0], description: 'Was moved.' }],
      hooks: [{ ...hook, is_active: false, config, secret_key: '********' }],
    })
    expect((await waybill('import', file)).output).toBe(
      `change event type wms.moved: description\nchange hook for wms.moved to ${receiver.url}: is_active\n`,
    )
  }, 60_000)

  test('another server refuses hooks whose secret is masked, or gets them with new secrets', async () => {
    const other = await openServer('second')
    const there = await keyOf(other)
    const masked = join(directory, 'masked.json')
    await waybill('export', '--file', masked)
    const refused = await runWaybill(['import', masked], { environment: there })
    expect(refused).toMatchObject({ status: 1, output: '', errors: expect.stringContaining('Nothing was changed') })
    const made = await runWaybill(['import', masked, '--new-secrets'], { environment: there })
    expect(made).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^make hook for .* with the new secret whsec_\S{44}$/m),
    })
    expect((await runWaybill(['export'], { environment: there })).output).toBe(readFileSync(masked, 'utf8'))
    await other.stop()
  }, 60_000)

  test('what is no configuration is refused, and so is a file that there is not', async () => {
    writeFileSync(file, '{"hooks": []}')
    expect(await waybill('import', file)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('waybill export'),
    })
    expect(await waybill('import', join(directory, 'none.json'))).toMatchObject({ status: 5 })
  }, 60_000)
})

/** A `waybill listen` that has said where it listens. */
const startListening = async (...args: string[]) => {
  const child = startProgram('server/waybill.ts', { args: ['listen', ...args], directory, environment })
  const said = { output: '', errors: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk.toString()))
  await eventually(async () => expect(said.errors).toContain('Listening at'))
  const end = async () => {
    child.kill('SIGINT')
    await new Promise((resolve) => child.once('close', resolve))
    return child.exitCode
  }
  return { said, end, url: /at (\S+)/.exec(said.errors)?.[1] ?? '' }
}

describe('events, listen and replay', () => {
  beforeAll(() => ask('POST', '/api/v1/event_types/', { name: 'crm.moved', description: 'Moved.' }))

  test('what is sent arrives verified at a listener, is sent on, and again; its hook goes with it', async () => {
    const forwarded = await makeReceiver()
    const listener = await startListening('--event', 'crm.*', '--json', '--forward', forwarded.url)
    const sent = await waybill(
      'events',
      'send',
      'crm.moved',
      '--id',
      'm-1',
      '--data',
      '{"id": 7}',
      '--object',
      'pallet:9',
    )
    expect(sent).toEqual({ status: 0, output: '1 accepted, 0 duplicates.\n', errors: '' })
    expect((await waybill('events', 'send', 'crm.moved', '--id', 'm-1', '--data', '{"id": 8}')).status).toBe(1)
    const [first] = await forwarded.got(1)
    expect(JSON.parse(String(first?.body))).toMatchObject({ event: { type: 'crm.moved' }, payload: { id: 7 } })
    const lines = (): Record<string, unknown>[] =>
      listener.said.output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    await eventually(async () =>
      expect(lines()).toMatchObject([{ type: 'crm.moved', status: 200, id: first?.headers['webhook-id'] }]),
    )

    const [event] = await ask<{ id: number }[]>('GET', '/api/v1/events/?type=crm.moved')
    expect(await waybill('replay', 'event', String(event?.id))).toMatchObject({ status: 0, errors: '' })
    await forwarded.got(2)
    const deliveries = await ask<{ id: number }[]>('GET', '/whisperer/hook_events/?event_type=crm.moved')
    expect(await waybill('replay', 'delivery', String(deliveries[0]?.id))).toMatchObject({
      status: 1,
      errors: expect.stringContaining('already delivered'),
    })
    const many = ['replay', 'deliveries', '--status', 'delivered', '--type', 'crm.moved', '--force']
    expect((await waybill(...many, '--dry-run')).output).toMatch(/^\d+ deliveries would be sent again\.\n$/)
    expect((await waybill(...many)).output).toMatch(/^[1-9]\d* deliveries are sent again \(job \d+/)

    expect(await listener.end()).toBe(0)
    expect(await ask<{ target_url: string }[]>('GET', '/whisperer/hooks/')).not.toContainEqual(
      expect.objectContaining({ target_url: listener.url }),
    )
  }, 60_000)

  test('a delivery that nobody took is taken once somebody listens', async () => {
    const port = await freePort()
    const { id } = await ask<{ id: number }>('POST', '/whisperer/hooks/', {
      event_type: 'crm.moved',
      target_url: `http://127.0.0.1:${port}/`,
      secret_key: hook.secret_key,
      config: { max_attempts: 1 },
    })
    await waybill('events', 'send', 'crm.moved', '--data', '{"id": 70}')
    const delivery = await eventually(async () => {
      const [found] = await ask<{ id: number; status: string }[]>('GET', `/whisperer/hook_events/?webhook=${id}`)
      expect(found?.status).toBe('failed')
      return found?.id
    })
    const listener = await startListening('--secret', hook.secret_key, '--port', String(port))
    expect(await waybill('replay', 'delivery', String(delivery))).toMatchObject({ status: 0, errors: '' })
    expect(listener.said.output).toContain('verified crm.moved')
    expect(await listener.end()).toBe(0)
  }, 60_000)

  test('events come from a file, by line or as a list', async () => {
    const lines = join(directory, 'events.ndjson')
    const events = [1, 2, 3].map((id) => ({
      id: `f-${id}`,
      type: 'crm.moved',
      data: { id },
      timestamp: '2026-11-21T09:30:00Z',
    }))
    writeFileSync(lines, events.map((event) => JSON.stringify(event)).join('\n'))
    expect(JSON.parse((await waybill('events', 'send', '--file', lines, '--json')).output)).toEqual({
      accepted: 3,
      duplicates: 0,
    })
    writeFileSync(lines, JSON.stringify(events))
    expect((await waybill('events', 'send', '--file', lines)).output).toBe('0 accepted, 3 duplicates.\n')
    writeFileSync(lines, '{"id": "x"}\n{')
    expect(await waybill('events', 'send', '--file', lines)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('line 2'),
    })
    expect(await waybill('events', 'send')).toMatchObject({ status: 2 })
  }, 60_000)

  test('with a secret it refuses what is not signed, and a port that is taken is said', async () => {
    const listener = await startListening('--secret', hook.secret_key)
    expect((await fetch(listener.url, { method: 'POST', body: '{}' })).status).toBe(401)
    await eventually(async () => expect(listener.said.output).toContain('refused: it has no signature'))
    const taken = await waybill('listen', '--secret', 'x', '--port', new URL(listener.url).port)
    expect(taken).toMatchObject({ status: 1, errors: expect.stringContaining('--port') })
    expect(await listener.end()).toBe(0)
    expect(await waybill('replay', 'event', '999')).toMatchObject({ status: 5 })
  }, 60_000)
})
