import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { startProgram } from '#testing/processes/start-program.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-reset-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const environment = {
  LOG_LEVEL: 'warn',
  DATA_DIR: join(directory, 'data'),
  ADMIN_EMAIL: 'admin@waybill.test',
  ADMIN_PASSWORD: 'correct horse battery',
}

/** `npm run reset-password`, without npm. */
const resetPassword = async (
  args: readonly string[],
  more = {},
): Promise<{ status: number | null; output: string }> => {
  const child = startProgram('server/waybill.ts', {
    args: ['users', 'reset-password', ...args],
    directory,
    environment: { ...environment, ...more },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, output }
}
const post = (server: ServerProcess, path: string, body: object) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const login = (server: ServerProcess, password: string) =>
  post(server, '/api/v1/auth/login/', { username: environment.ADMIN_EMAIL, password })

test('reset-password gives a person a new password, and ends what they were logged in with', async () => {
  installDatabase(environment.DATA_DIR)
  const before = await startServer(environment, directory)
  const { key } = (await (await login(before, environment.ADMIN_PASSWORD)).json()) as { key: string }
  expect(await resetPassword([environment.ADMIN_EMAIL])).toMatchObject({
    status: 1,
    output: expect.stringContaining('in use by another process'),
  })
  await before.stop()

  expect(await resetPassword(['nobody@waybill.test'])).toEqual({
    status: 1,
    output: 'waybill: Nobody has this e-mail. Nothing was changed.\n',
  })
  const { status, output } = await resetPassword(['ADMIN@waybill.test'])
  expect([status, output]).toEqual([0, expect.stringContaining('New password of admin@waybill.test: ')])
  const password = /: ([\w-]{20}) \(shown/.exec(output)?.[1] ?? ''

  const after = await startServer(environment, directory)
  const me = await fetch(`${after.origin}/api/v1/auth/me/`, { headers: { authorization: `Token ${key}` } })
  expect(me.status).toBe(401)
  expect((await login(after, password)).status).toBe(200)
  await after.stop()
}, 120_000)

test('reset-password without a database, an e-mail, or with two changes nothing', async () => {
  const missing = join(directory, 'missing')
  const none = await resetPassword(['admin@waybill.test'], { DATA_DIR: missing })
  expect(none).toMatchObject({ status: 1, output: expect.stringContaining('There is no database') })
  expect(existsSync(missing)).toBe(false)
  for (const args of [[], ['a@b.example', 'c@d.example']])
    expect(await resetPassword(args)).toMatchObject({ status: 2, output: expect.stringContaining('--help says') })
})
