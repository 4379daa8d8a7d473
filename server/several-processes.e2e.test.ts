import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from 'undici'
import { hookSecret, serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { startLedger, type Ledger } from '#testing/chaos/ledger.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { eventually } from '#testing/eventually.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'

// Two processes that answer and two that deliver on one PostgreSQL. What is changed at the first one counts at all of them:
// within a second, which is printed and not asserted, as a busy machine has seconds of its own.

const directory = mkdtempSync(join(tmpdir(), 'waybill-several-'))
const { url, remove } = await createDatabase()
const environment = { ...serverEnvironment, DATABASE_URL: url, DATA_DIR: directory }
const start = (role: string): Promise<ServerProcess> => startServer(environment, directory, { args: ['--role', role] })
let processes: readonly ServerProcess[]
let ledger: Ledger
let admin: string

beforeAll(async () => {
  // The first one migrates.
  const first = await start('api')
  processes = [first, ...(await Promise.all(['api', 'worker', 'worker'].map(start)))]
  ledger = await startLedger()
  const login = { username: serverEnvironment.ADMIN_EMAIL, password: serverEnvironment.ADMIN_PASSWORD }
  admin = `Token ${await keyOf(0, login)}`
  const witness = { target_url: new URL('/witness', ledger.url).href, secret_key: hookSecret }
  await call(0, 'POST', '/whisperer/hooks/', { body: { event_type: 'shipment.status.updated', ...witness } })
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()))
  await ledger.close()
  await remove()
  rmSync(directory, { recursive: true, force: true })
})

interface CallOptions {
  readonly body?: object
  readonly as?: string
}

/** Asks one of the processes, as the superuser where nothing else is said. */
const call = async (
  process: number,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { body, as = admin }: CallOptions = {},
): Promise<{ readonly status: number; readonly answer: unknown }> => {
  const headers = { ...(as !== '' && { authorization: as }), ...(body && { 'content-type': 'application/json' }) }
  const sent = body === undefined ? null : JSON.stringify(body)
  const answer = await request(`${processes[process]?.origin}${path}`, { method, headers, body: sent })
  const text = await answer.body.text()
  return { status: answer.statusCode, answer: text === '' ? undefined : JSON.parse(text) }
}

const keyOf = async (process: number, login: object): Promise<string> => {
  const { answer } = await call(process, 'POST', '/api/v1/auth/login/', { body: login, as: '' })
  return (answer as { key: string }).key
}

/** Changes something at the first process, until the other one knows. Both look before, so that the other remembers the old. */
const counts = async (what: string, change: () => Promise<unknown>, isSeen: () => Promise<boolean>): Promise<true> => {
  await eventually(async () => expect(await isSeen()).toBe(false))
  await change()
  const changedAt = performance.now()
  await eventually(async () => expect(await isSeen()).toBe(true))
  process.stdout.write(`${what} counted at the other process after ${Math.round(performance.now() - changedAt)} ms\n`)
  return true
}

const statusIs = (status: number, as: string, path: string) => async (): Promise<boolean> =>
  (await call(1, 'GET', path, { as })).status === status

const makeStaff = async (name: string): Promise<{ readonly id: number; readonly token: string }> => {
  const login = { username: `${name}@waybill.test`, password: 'correct horse battery' }
  const user = { email: login.username, password: login.password, is_staff: true }
  const { id } = (await call(0, 'POST', '/api/v1/users/', { body: user })).answer as { id: number }
  return { id, token: `Token ${await keyOf(1, login)}` }
}

/** After the witness has it: another process may be about to send it. */
const notArrivedMs = 300
let raised = 0
const raise = async (): Promise<number> => {
  raised += 1
  const data = { id: raised, status: 'in_transit' }
  const body = { id: `event-${raised}`, type: 'shipment.status.updated', data }
  expect((await call(1, 'POST', '/api/v1/events/', { body })).status).toBe(202)
  return raised
}
const isAbout = (body: string, number: number): boolean => new RegExp(`"id":${number}\\b`).test(body)

/** A hook that stays as it is: once an event is there, the other hook has had its share of the time. */
const arrivedAtWitness = (number: number): Promise<void> =>
  eventually(() => {
    const arrived = ledger.arrivals.some((one) => one.path === '/witness' && isAbout(one.body, number))
    expect(arrived).toBe(true)
  })

const aRevokedKey = async (): Promise<void> => {
  const body = { name: 'for a second' }
  const made = await call(0, 'POST', '/api/v1/auth/api-keys/', { body })
  const { id, key } = made.answer as { id: number; key: string }
  const revoke = () => call(0, 'DELETE', `/api/v1/auth/api-keys/${id}/`)
  const isRefused = statusIs(401, `Api-Key ${key}`, '/api/v1/stock_locations/')
  expect(await counts('a revoked key', revoke, isRefused)).toBe(true)
}

const aMovedHook = async (): Promise<void> => {
  const path = `/${Math.random().toString(36).slice(2)}`
  const target = (place: string): string => new URL(path + place, ledger.url).href
  const hook = { event_type: 'shipment.status.updated', target_url: target('/old'), secret_key: hookSecret }
  const { id } = (await call(0, 'POST', '/whisperer/hooks/', { body: hook })).answer as { id: number }
  /** Raises an event at the other process. @returns where it has arrived after a moment. */
  const whereItArrives = async (): Promise<string> => {
    const number = await raise()
    const find = () => ledger.arrivals.find((one) => one.path.startsWith(path) && isAbout(one.body, number))?.path
    await arrivedAtWitness(number)
    if (find() === undefined) await sleep(notArrivedMs)
    return find() ?? 'nowhere'
  }
  const arrives = (place: string) => async () => (await whereItArrives()) === place
  const patch = (body: object) => () => call(0, 'PATCH', `/whisperer/hooks/${id}/`, { body })
  await eventually(async () => expect(await whereItArrives()).toBe(`${path}/old`))
  expect(await counts('a new address of a hook', patch({ target_url: target('/new') }), arrives(`${path}/new`))).toBe(
    true,
  )
  expect(await counts('a hook switched off', patch({ is_active: false }), arrives('nowhere'))).toBe(true)
  expect(await counts('a hook switched on', patch({ is_active: true }), arrives(`${path}/new`))).toBe(true)
  expect(await counts('a deleted hook', () => call(0, 'DELETE', `/whisperer/hooks/${id}/`), arrives('nowhere'))).toBe(
    true,
  )
}

describe('what is changed at one process counts at the others', () => {
  // oxlint-disable-next-line vitest/expect-expect -- it is in the function, which is run twice
  test('a key that is revoked', aRevokedKey)

  test('a setting that is changed', async () => {
    const read = async () => (await call(1, 'GET', '/api/v1/settings/')).answer as { QUOTATION_VALID_DAYS: number }
    const days = (await read()).QUOTATION_VALID_DAYS + 1
    const change = () => call(0, 'PATCH', '/api/v1/settings/', { body: { QUOTATION_VALID_DAYS: days } })
    const isRead = async () => (await read()).QUOTATION_VALID_DAYS === days
    expect(await counts('a setting', change, isRead)).toBe(true)
  })

  test('rights of a user that are taken away, and a user who is switched off', async () => {
    const { id, token } = await makeStaff(`staff-${Math.random().toString(36).slice(2)}`)
    const patch = (body: object) => () => call(0, 'PATCH', `/api/v1/users/${id}/`, { body })
    const isForbidden = statusIs(403, token, '/api/v1/settings/')
    const isUnknown = statusIs(401, token, '/api/v1/settings/')
    expect(await counts('lost rights', patch({ is_staff: false }), isForbidden)).toBe(true)
    expect(await counts('a user switched off', patch({ is_active: false }), isUnknown)).toBe(true)
  })

  // oxlint-disable-next-line vitest/expect-expect -- as above
  test('a hook that is moved, switched off and deleted', aMovedHook)
})

describe('also when every connection to the database was lost a moment ago, and with it what is listened for', () => {
  beforeAll(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await client.end()
  })
  // oxlint-disable vitest/expect-expect -- as above
  test('a key that is revoked', aRevokedKey)

  test('a hook that is moved, switched off and deleted', aMovedHook)
})
