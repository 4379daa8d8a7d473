import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/db/open.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { runWaybill } from '#testing/processes/run-waybill.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { startProgram } from '#testing/processes/start-program.ts'
import { makeReceiver } from '#testing/receiver.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-move-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const receiver = await makeReceiver()
const login = { username: 'admin@waybill.test', password: 'correct horse battery' }
const settings = (name: string) => ({ LOG_LEVEL: 'warn', DATA_DIR: join(directory, name) })

const post = async <T>({ origin }: ServerProcess, path: string, body: unknown, key = ''): Promise<T> => {
  const headers = { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Token ${key}` }) }
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

const newDatabase = async (): Promise<string> => {
  const { url, remove } = await createDatabase('template1')
  onTestFinished(remove)
  return url
}

/** A server with hooks, events that have and have not arrived, people, mails that wait, and text that is hard to copy. */
const makeInstallation = async (name: string): Promise<Record<string, string>> => {
  const environment = settings(name)
  installDatabase(environment.DATA_DIR)
  const server = await startServer(
    { ...environment, ADMIN_EMAIL: login.username, ADMIN_PASSWORD: login.password },
    directory,
  )
  const { key } = await post<{ key: string }>(server, '/api/v1/auth/login/', login)
  await post(server, '/api/v1/event_types/', { name: 'wms.moved', description: 'Tabs\tand \\N\n lines' }, key)
  const hook = { event_type: 'wms.moved', secret_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
  await post(server, '/whisperer/hooks/', { ...hook, target_url: receiver.url }, key)
  await post(server, '/whisperer/hooks/', { ...hook, target_url: 'http://127.0.0.1:10009/' }, key)
  const { id } = await post<{ id: number }>(
    server,
    '/api/v1/users/',
    { email: 'ann@waybill.test', first_name: 'Ayşe İ' },
    key,
  )
  await post(server, `/api/v1/users/${id}/invite/`, {}, key)
  const events = Array.from({ length: 300 }, (_, index) => ({
    id: `e-${index}`,
    type: 'wms.moved',
    data: { id: index, text: `\\t\t"ğ😀${'x'.repeat(index * 20)}` },
    timestamp: '2026-11-21T09:30:00Z',
  }))
  await post(server, '/api/v1/events/', events, key)
  await receiver.got(300, 30_000)
  await server.stop()
  return environment
}

/** Every row of every table, by an own way of looking. */
const contentsOf = async (
  ask: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<Record<string, unknown>> => {
  const tables = await ask(`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'jobs') and tablename !~ '^queue_stats' order by 1`)
  const contents: Record<string, unknown> = {}
  for (const { name } of tables) {
    const rows = await ask(`select to_jsonb(t) - 'folded_name' as row from ${String(name)} t`)
    contents[String(name)] = rows.map(({ row }) => JSON.stringify(row)).toSorted()
  }
  return contents
}
const contentsOfEmbedded = async ({ DATA_DIR = '' }: Record<string, string>) => {
  const database = await openDatabase({ directory: join(DATA_DIR, 'database'), poolSize: 1 })
  try {
    return await database.scriptTransaction((run) => contentsOf(async (sql) => [...(await run(sql))]))
  } finally {
    await database.close()
  }
}
const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    return await use(client)
  } finally {
    await client.end()
  }
}
const contentsOfServer = (url: string) =>
  withClient(url, (client) => contentsOf(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows))
const countTables = (url: string) =>
  withClient(
    url,
    async (client) => (await client.query(`select from pg_tables where schemaname in ('public', 'jobs')`)).rowCount,
  )

test('everything moves, however often that is killed, and the server goes on with it', async () => {
  const environment = await makeInstallation('moving')
  const url = await newDatabase()
  const before = await contentsOfEmbedded(environment)
  for (const afterMs of [700, 1_500, 2_500]) {
    const child = startProgram('server/waybill.ts', { args: ['move-to', url], directory, environment })
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    expect([0, Object.keys(before).length + 2]).toContain(await countTables(url))
  }
  expect(await runWaybill(['move-to', url], { environment })).toMatchObject({
    status: 0,
    output: expect.stringMatching(/\d+ rows in \d+ tables/),
  })
  const after = await contentsOfServer(url)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  for (const name of Object.keys(before)) expect([name, after[name]]).toEqual([name, before[name]])
  expect(Object.values(after).flat().length).toBeGreaterThan(1_000)
  expect(await runWaybill(['move-to', url, '--json'], { environment })).toMatchObject({
    status: 0,
    output: expect.stringContaining('"isNew": false'),
  })

  const file = join(environment['DATA_DIR'] ?? '', 'postgres.env')
  expect(statSync(file).mode & 0o077).toBe(0)
  const moved = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
  await expect(startServer(environment, directory)).rejects.toThrow(/has moved .*DATABASE_URL/)
  expect(await runWaybill(['doctor'], { environment: moved })).toMatchObject({ status: 0 })
  const server = await startServer({ ...moved, DATA_DIR: join(directory, 'elsewhere'), LOG_LEVEL: 'warn' }, directory)
  const { key } = await post<{ key: string }>(server, '/api/v1/auth/login/', login)
  const event = {
    id: 'e-7',
    type: 'wms.moved',
    data: { id: 7, text: `\\t\t"ğ😀${'x'.repeat(140)}` },
    timestamp: '2026-11-21T09:30:00Z',
  }
  const answers = await post(server, '/api/v1/events/', [event, { ...event, id: 'new' }], key)
  expect(answers).toEqual({ accepted: 1, duplicates: 1 })
  await receiver.got(301, 30_000)
  expect(await server.stop()).toBe(0)
  expect(await runWaybill(['move-to', url], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('is not empty'),
  })
}, 180_000)

test('a database with something in it, one that there is not, and a wrong address are refused', async () => {
  const environment = settings('refused')
  installDatabase(environment.DATA_DIR)
  const url = await newDatabase()
  await withClient(url, (client) => client.query('create table theirs (id int)'))
  expect(await runWaybill(['move-to', url], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('is not empty'),
  })
  expect(await countTables(url)).toBe(1)
  expect(await runWaybill(['move-to', `${url}_not`], { environment })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('does not exist'),
  })
  expect(await runWaybill(['move-to', 'mysql://x'], { environment })).toMatchObject({ status: 2 })
  expect(await runWaybill(['move-to', url], { environment: settings('nowhere') })).toMatchObject({
    status: 1,
    errors: expect.stringContaining('There is no database'),
  })
}, 120_000)
