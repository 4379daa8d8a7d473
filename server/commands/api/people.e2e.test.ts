import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { runWaybill, type WaybillRun } from '#testing/processes/run-waybill.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-people-'))
const admin = { email: 'admin@waybill.test', password: 'correct horse battery' }
const environment = {
  LOG_LEVEL: 'warn',
  DATA_DIR: join(directory, 'data'),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
}
let server: ServerProcess
let key = ''

beforeAll(async () => {
  installDatabase(environment.DATA_DIR)
  server = await startServer(environment, directory)
  const made = await runWaybill(['keys', 'make', 'console', '--login', admin.email, '--server', server.origin], {
    input: `${admin.password}\n`,
  })
  key = made.output.trim()
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

const ask = (args: readonly string[], input?: string): Promise<WaybillRun> =>
  runWaybill(args, {
    environment: { WAYBILL_SERVER: server.origin, WAYBILL_KEY: key },
    ...(input === undefined ? {} : { input }),
  })
const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await ask([...args, '--json'])).output) as T

describe('keys', () => {
  test('a key is made with a password, listed, and revoked; the password leaves no login behind', async () => {
    const made = await json<{ id: number; key: string; scopes: string[] }>(
      'keys',
      'make',
      'warehouse',
      '--scope',
      'events:write',
      '--expires',
      '2099-01-01',
    )
    expect(made.scopes).toEqual(['events:write'])
    const listed = await ask(['keys', 'list'])
    expect(listed).toMatchObject({ status: 0, errors: '' })
    expect(listed.output).toMatch(/^ID +NAME +BEGINS WITH +SCOPES +EXPIRES +LAST USED$/m)
    expect(listed.output).toMatch(/^\d+ +warehouse +\S+ +events:write +2099-01-01T00:00:00\.000Z +never$/m)

    const revoked = await ask(['keys', 'revoke', String(made.id)])
    expect(revoked).toEqual({ status: 0, output: `Key ${made.id} has ended.\n`, errors: '' })
    expect((await json<{ name: string }[]>('keys', 'list')).map(({ name }) => name)).toEqual(['console'])
    const sessions = await fetch(`${server.origin}/api/v1/auth/sessions/`, {
      headers: { authorization: `Api-Key ${key}` },
    })
    expect(await sessions.json()).toEqual([])
  }, 60_000)

  test('a wrong password and a key that there is not are said in a sentence', async () => {
    const wrong = await runWaybill(['keys', 'make', 'x', '--login', admin.email, '--server', server.origin], {
      input: 'not it\n',
    })
    expect(wrong).toMatchObject({ status: 1, output: '', errors: expect.stringMatching(/^waybill: .+\n$/) })
    const nothing = await runWaybill(['keys', 'make', 'x', '--login', admin.email, '--server', server.origin])
    expect(nothing).toMatchObject({ status: 2, errors: 'waybill: There is no password in standard input.\n' })
    expect(await ask(['keys', 'revoke', '999'])).toMatchObject({ status: 5, output: '' })
  }, 60_000)
})

describe('users', () => {
  test('a user is added, switched off and on, and found in the list by their state', async () => {
    const added = await ask(
      ['users', 'add', 'ann@waybill.test', '--staff', '--first-name', 'Ann', '--password-stdin'],
      'a password of hers\n',
    )
    expect(added).toEqual({ status: 0, output: 'Added ann@waybill.test.\n', errors: '' })
    const ann = () => json<{ email: string; is_staff: boolean; is_active: boolean }[]>('users', 'list')
    expect((await ann()).find(({ email }) => email === 'ann@waybill.test')).toMatchObject({
      is_staff: true,
      is_active: true,
    })
    expect((await ask(['users', 'switch-off', 'ANN@waybill.test'])).status).toBe(0)
    expect((await ask(['users', 'list'])).output).toMatch(/ann@waybill\.test +Ann +staff +switched off$/m)
    expect((await ask(['users', 'switch-on', 'ann@waybill.test'])).status).toBe(0)
    expect((await ask(['users', 'list'])).output).toMatch(/ann@waybill\.test +Ann +staff +active$/m)
  }, 60_000)

  test('one without a password is invited', async () => {
    expect((await ask(['users', 'add', 'ben@waybill.test'])).status).toBe(0)
    const mails = await fetch(`${server.origin}/api/v1/mails/?to=ben@waybill.test`, {
      headers: { authorization: `Api-Key ${key}` },
    })
    expect(await mails.json()).toMatchObject([{ purpose: 'invitation', status: 'kept' }])
  }, 60_000)

  test('what is not possible ends with its own status and a sentence', async () => {
    expect(await ask(['users', 'switch-off', 'nobody@waybill.test'])).toEqual({
      status: 5,
      output: '',
      errors: 'waybill: Nobody has the e-mail nobody@waybill.test.\n',
    })
    expect(await ask(['users', 'add', 'ann@waybill.test'])).toMatchObject({
      status: 1,
      errors: expect.stringContaining('email'),
    })
    expect(await ask(['users', 'add', 'no address', '--json'])).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^\{"error":".*email.*","exit_code":1\}\n$/),
    })
  }, 60_000)
})

test('no server, no key, a wrong one, and what is no Waybill have a status each', async () => {
  const statusOf = async (...args: string[]) => (await runWaybill(['users', 'list', ...args])).status
  expect(await statusOf('--server', 'http://127.0.0.1:9', '--key', key)).toBe(3)
  expect(await statusOf('--server', `${server.origin}/docs`, '--key', key)).toBe(5)
  expect(await statusOf('--server', server.origin)).toBe(4)
  expect(await statusOf('--server', server.origin, '--key', 'not-a-key')).toBe(4)
  expect(await statusOf('--server', 'waybill', '--key', key)).toBe(2)
}, 60_000)
