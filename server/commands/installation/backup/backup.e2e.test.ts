import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { runWaybill } from '#testing/processes/run-waybill.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { makeReceiver } from '#testing/receiver.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-backup-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const receiver = await makeReceiver()
const login = { username: 'admin@waybill.test', password: 'correct horse battery' }
const settings = (name: string) => ({
  LOG_LEVEL: 'warn',
  ADMIN_EMAIL: login.username,
  ADMIN_PASSWORD: login.password,
  DATA_DIR: join(directory, name),
})

interface Answer {
  readonly accepted: number
  readonly duplicates: number
}
const post = async <T>({ origin }: ServerProcess, path: string, body: unknown, key = ''): Promise<T> => {
  const headers = { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Token ${key}` }) }
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
const logIn = async (server: ServerProcess): Promise<string> =>
  (await post<{ key: string }>(server, '/api/v1/auth/login/', login)).key
const event = (number: number) => ({
  id: `e-${number}`,
  type: 'wms.moved',
  timestamp: '2026-11-21T09:30:00Z',
  data: { id: number, text: 'x'.repeat(2_000) },
})

test('a backup beside a server under load has everything that was answered before it, and its copy is sound', async () => {
  const environment = settings('first')
  installDatabase(environment.DATA_DIR)
  const server = await startServer(environment, directory)
  const key = await logIn(server)
  await post(server, '/api/v1/event_types/', { name: 'wms.moved', description: 'Moved.' }, key)
  await post(server, '/whisperer/hooks/', { event_type: 'wms.moved', target_url: receiver.url }, key)

  let accepted = 0
  const enough = new AbortController()
  const load = (async () => {
    while (!enough.signal.aborted) {
      const events = Array.from({ length: 20 }, (_, index) => event(accepted + index))
      await post(server, '/api/v1/events/', events, key)
      accepted += events.length
    }
  })()
  await expect.poll(() => accepted).toBeGreaterThan(400)
  const before = accepted
  const folder = join(directory, 'copy')
  const made = await runWaybill(['backup', folder, '--json'], { environment })
  const during = accepted - before
  enough.abort()
  await load
  expect(made).toMatchObject({ status: 0, errors: '' })
  expect(JSON.parse(made.output)).toMatchObject({ server_was_running: true })
  expect(during).toBeGreaterThan(0)
  // No goodbye: what is restored has nothing of it.
  await server.kill()

  const second = settings('second')
  expect((await runWaybill(['restore', folder], { environment: second })).status).toBe(0)
  expect(await runWaybill(['doctor'], { environment: second })).toMatchObject({ status: 0, errors: '' })
  const restored = await startServer(second, directory)
  const again = await logIn(restored)
  const old = Array.from({ length: before }, (_, index) => event(index))
  let duplicates = 0
  for (let first = 0; first < old.length; first += 100)
    duplicates += (await post<Answer>(restored, '/api/v1/events/', old.slice(first, first + 100), again)).duplicates
  expect(duplicates).toBe(before)
  await restored.kill()

  const twice = await startServer(second, directory)
  expect((await post<Answer>(twice, '/api/v1/events/', old.slice(0, 1), await logIn(twice))).duplicates).toBe(1)
  expect(await twice.stop()).toBe(0)
}, 180_000)

test('without a server the folder is copied as it is; a full one, a damaged one and half of one are refused', async () => {
  const environment = settings('stopped')
  installDatabase(environment.DATA_DIR)
  const folder = join(directory, 'stopped-copy')
  expect(await runWaybill(['backup', folder], { environment })).toMatchObject({
    status: 0,
    output: expect.stringContaining('It has the secret key in it'),
  })
  expect(await runWaybill(['backup', folder], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('is not empty'),
  })
  expect(await runWaybill(['restore', folder], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('is not empty'),
  })
  const other = settings('other')
  writeFileSync(join(folder, 'secret.key'), 'another key')
  expect(await runWaybill(['restore', folder], { environment: other })).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/damaged: .*secret\.key/),
  })
  rmSync(join(folder, 'backup.json'))
  expect(await runWaybill(['restore', folder], { environment: other })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('not finished'),
  })
  expect(existsSync(join(other.DATA_DIR, 'database'))).toBe(false)
  expect(
    await runWaybill(['backup', folder], {
      environment: { ...other, DATABASE_URL: 'postgres://x@127.0.0.1/x', SECRET_KEY: 'k'.repeat(32) },
    }),
  ).toMatchObject({ status: 1, errors: expect.stringContaining('pg_dump') })
}, 120_000)

test('one backup is made at a time, and one that was given up keeps no other from being made', async () => {
  const environment = settings('dying')
  installDatabase(environment.DATA_DIR)
  const server = await startServer(environment, directory)
  const half = connect(join(environment.DATA_DIR, 'waybill.sock'))
  half.write('backup\n')
  await new Promise((resolve) => half.once('data', resolve))
  const folder = join(directory, 'second-at-once')
  expect(await runWaybill(['backup', folder], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('Another backup is being made'),
  })
  half.destroy()
  await expect
    .poll(async () => (await runWaybill(['backup', join(directory, `try-${Math.random()}`)], { environment })).status)
    .toBe(0)
  await server.stop()
  expect(existsSync(join(environment.DATA_DIR, 'waybill.sock'))).toBe(false)
}, 120_000)
