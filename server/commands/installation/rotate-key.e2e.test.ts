import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { startProgram } from '#testing/processes/start-program.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-rotate-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const receiver = await makeReceiver()

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const login = { username: 'admin@waybill.test', password: 'correct horse battery' }
const shared = { LOG_LEVEL: 'warn', ADMIN_EMAIL: login.username, ADMIN_PASSWORD: login.password }

type Environment = Readonly<Record<string, string>>
interface Run {
  readonly status: number | null
  readonly output: string
}

interface RotateOptions {
  readonly args?: readonly string[]
  /** Asked every millisecond: SIGKILL once it is so. */
  readonly killWhen?: () => boolean
}
/** `npm run rotate-key`, without npm. */
const rotateKey = async (environment: Environment, { args = [], killWhen }: RotateOptions = {}): Promise<Run> => {
  const child = startProgram('server/waybill.ts', {
    args: ['rotate-key', ...args],
    directory,
    environment: { ...shared, ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const closed = once(child, 'close')
  const killing = killWhen && setInterval(() => killWhen() && child.kill('SIGKILL'), 1)
  await closed
  clearInterval(killing)
  return { status: child.exitCode, output }
}

const withServer = async (environment: Environment, use: (server: ServerProcess) => Promise<void>): Promise<void> => {
  const server = await startServer({ ...shared, ...environment }, directory)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const post = async <T>(
  { origin }: ServerProcess,
  path: string,
  body: object,
  headers: Environment = {},
): Promise<T> => {
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  const answer = await fetch(`${origin}${path}`, { ...options, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
const authorizationOf = async (server: ServerProcess): Promise<{ authorization: string }> => {
  const { key } = await post<{ key: string }>(server, '/api/v1/auth/login/', login)
  return { authorization: `Token ${key}` }
}
const subscribe = async (server: ServerProcess): Promise<void> => {
  const hook = { event_type: 'stock_location.created', target_url: receiver.url, secret_key: secret }
  await post(server, '/whisperer/hooks/', hook, await authorizationOf(server))
}
let locations = 0
/** Whether what happens now reaches the subscriber, signed with the secret that it was made with. */
const deliversSigned = async (server: ServerProcess): Promise<boolean> => {
  receiver.received.length = 0
  locations += 1
  const location = { code: `L-${locations}`, name: 'Location' }
  await post(server, '/api/v1/stock_locations/', location, await authorizationOf(server))
  const [received] = await receiver.got(1, 15_000)
  const headers = received?.headers as Record<string, string>
  return new Webhook(secret).verify(received?.body ?? '', headers) !== undefined
}

test.each([
  ['--help', 0, 'waybill rotate-key'],
  ['--dry-run', 2, 'No flag registered for --dry-run'],
])('%s changes no key', async (argument, status, output) => {
  const environment = { DATA_DIR: mkdtempSync(join(directory, 'arguments-')) }
  const key = 'a generated key of at least 32 characters'
  writeFileSync(join(environment.DATA_DIR, 'secret.key'), key)
  const run = await rotateKey(environment, { args: [argument] })
  expect(run).toEqual({ status, output: expect.stringContaining(output) })
  expect(readdirSync(environment.DATA_DIR)).toEqual(['secret.key'])
  expect(readFileSync(join(environment.DATA_DIR, 'secret.key'), 'utf8')).toBe(key)
})

test(
  'the generated key of an embedded installation is changed, however often that is killed',
  { timeout: 240_000 },
  async () => {
    const environment = { DATA_DIR: join(directory, 'embedded') }
    installDatabase(environment.DATA_DIR)
    const keyIn = (file: string): string | undefined => {
      const path = join(environment.DATA_DIR, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    }
    const keyFiles = (): string[] => readdirSync(environment.DATA_DIR).filter((file) => file.startsWith('secret.key'))

    await withServer(environment, async (server) => {
      await subscribe(server)
      const refused = await rotateKey(environment)
      expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('in use by another process') })
      expect(keyFiles()).toEqual(['secret.key'])
    })
    let first = keyIn('secret.key')
    // A file from another installation: no new key would make it right.
    writeFileSync(join(environment.DATA_DIR, 'secret.key'), 'another key of at least 32 characters')
    expect(await rotateKey(environment)).toMatchObject({
      status: 1,
      output: expect.stringContaining('SECRET_KEY is not the one'),
    })
    expect([keyFiles(), keyIn('secret.key')]).toEqual([['secret.key'], 'another key of at least 32 characters'])
    writeFileSync(join(environment.DATA_DIR, 'secret.key'), first ?? '')

    // The command is done soon after it has made the key, so the kill may come too late; then it is tried again.
    for (let tries = 1; keyIn('secret.key.previous') === undefined && tries <= 5; tries++) {
      const before = keyIn('secret.key')
      await rotateKey(environment, { killWhen: () => ![undefined, before].includes(keyIn('secret.key')) })
      first = before
    }
    const second = keyIn('secret.key')
    expect([keyIn('secret.key.previous'), second === first]).toEqual([first, false])
    await withServer(environment, async (server) => expect(await deliversSigned(server)).toBe(true))

    const finished = await rotateKey(environment)
    expect(finished).toMatchObject({ status: 0, output: expect.stringContaining('was begun before') })
    expect([keyFiles(), keyIn('secret.key')]).toEqual([['secret.key'], second])

    const again = await rotateKey(environment)
    expect(again).toMatchObject({
      status: 0,
      output: expect.stringMatching(/new key was made[^]+Subscriptions: 1 encrypted/),
    })
    expect(again.output).not.toContain(keyIn('secret.key')?.trim())
    expect(keyFiles()).toEqual(['secret.key'])
    expect([first, second]).not.toContain(keyIn('secret.key'))
    await withServer(environment, async (server) => expect(await deliversSigned(server)).toBe(true))
  },
)

test('a key that is set is changed beside running servers', { timeout: 240_000 }, async () => {
  const { url, remove } = await createDatabase()
  afterAll(remove)
  const old = { DATABASE_URL: url, SECRET_KEY: 'the old key of at least 32 characters' }
  const fresh = { DATABASE_URL: url, SECRET_KEY: 'the new key of at least 32 characters' }
  const both = { ...fresh, SECRET_KEY_PREVIOUS: old.SECRET_KEY }
  await withServer(old, async (server) => {
    await subscribe(server)
    // One that was not restarted, beside one that was: it could not read its hooks any more.
    await withServer(both, async () => {
      expect(await rotateKey(both)).toMatchObject({
        status: 1,
        output: expect.stringContaining('Nothing was changed: 1 of the 2 servers'),
      })
    })
    expect(await deliversSigned(server)).toBe(true)
  })
  expect(await rotateKey(old)).toMatchObject({ status: 1, output: expect.stringContaining('There is nothing to do') })
  expect(await rotateKey(fresh)).toMatchObject({
    status: 1,
    output: expect.stringContaining('SECRET_KEY is not the one this database was encrypted with'),
  })

  await withServer(both, async (server) => {
    expect(await rotateKey(both)).toMatchObject({
      status: 0,
      output: expect.stringMatching(/Subscriptions: 1 encrypted again[^]+SECRET_KEY_PREVIOUS can be removed/),
    })
    expect(await deliversSigned(server)).toBe(true)
  })
  expect(await rotateKey(both)).toMatchObject({
    status: 0,
    output: expect.stringContaining('Subscriptions: 0 encrypted'),
  })
  await withServer(fresh, async (server) => expect(await deliversSigned(server)).toBe(true))
})

test('there is nothing to change where nothing was installed, and nothing is made', async () => {
  const nowhere = join(directory, 'nowhere')
  const refused = await rotateKey({ DATA_DIR: nowhere })
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('no generated key') })
  expect(existsSync(nowhere)).toBe(false)
})
