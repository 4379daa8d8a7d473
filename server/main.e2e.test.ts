import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startProgram } from '#testing/processes/start-program.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-main-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** `npm start`, without npm. @returns how it ended, and what it said. */
const run = async (environment: Readonly<Record<string, string>>, args: readonly string[] = [], stopWhen?: string) => {
  const child = startProgram('server/main.ts', {
    args,
    directory,
    environment: { LOG_LEVEL: 'silent', PORT: '0', ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (stopWhen !== undefined && output.includes(stopWhen)) child.kill('SIGINT')
    })
  await once(child, 'close')
  return { status: child.exitCode, lines: output.trim().split('\n') }
}

/** Of one server after the other. */
const data = mkdtempSync(join(directory, 'data-'))
installDatabase(data)
const starts: Awaited<ReturnType<typeof run>>[] = []
beforeAll(async () => {
  for (const _ of ['first', 'second']) starts.push(await run({ DATA_DIR: data }, [], 'Waybill is ready'))
})

test('without a login of your choice, the first start prints one, once', () => {
  const login = /^Administrator: \S+@\S+, password: \S{20} \(shown only this once\)$/
  expect(starts.map(({ lines }) => lines.filter((line) => /administrator|password/i.test(line)))).toEqual([
    [expect.stringMatching(login)],
    [],
  ])
})

test('a server that is stopped says so, and when it has stopped', () => {
  for (const { status, lines } of starts) {
    expect(status).toBe(0)
    expect(lines.slice(-2)).toEqual([
      'Stopping: up to 10 s for what is in flight; Ctrl-C again ends at once.',
      'Waybill has stopped.',
    ])
  }
})

test('all that is wrong in the settings, and whatever .env says in vain, is said at once', async () => {
  const file = join(directory, '.env')
  writeFileSync(file, 'DATABASE_POOL_SIZE=abc\nHOST 0.0.0.0\nMAX_ATTEMPTS=0\nDATA_DIRR=/srv\n')
  const { status, lines } = await run({})
  rmSync(file)
  expect([status, lines]).toEqual([
    1,
    [
      'Line 2 of .env is left out: it is no NAME=value.',
      'DATA_DIRR in .env is no setting and changes nothing. Did you mean DATA_DIR?',
      expect.stringMatching(/^Waybill cannot start: DATABASE_POOL_SIZE /),
      expect.stringMatching(/^MAX_ATTEMPTS /),
    ],
  ])
})

test('a port that is in use is named with its setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const ended = await run({ DATA_DIR: data, PORT: String(port) })
  other.close()
  expect(ended).toEqual({
    status: 1,
    lines: [`Waybill cannot start: PORT ${port} is in use: stop the other process or set PORT.`],
  })
})

test('an address that is not of this machine is named with its setting', async () => {
  // 192.0.2.0/24 is for documentation (RFC 5737).
  const { status, lines } = await run({ DATA_DIR: data, HOST: '192.0.2.1' })
  expect([status, lines]).toEqual([1, [expect.stringContaining('HOST 192.0.2.1 is no address of this machine')]])
})

test.each(['', '/below'])('a data directory that is a file (%s) is named with its setting', async (below) => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const { status, lines } = await run({ DATA_DIR: `${file}${below}` })
  expect([status, lines]).toEqual([
    1,
    [expect.stringMatching(/^Waybill cannot start: DATA_DIR \S+ cannot be used: .*is a file\. Set DATA_DIR to/)],
  ])
})

const everythingIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  ),
]
const openToOthers = (folder: string): string[] =>
  everythingIn(folder).filter((path) => (lstatSync(path).mode & 0o077) !== 0)

/** One server after the other, where the umask takes nothing from anybody. The first finds what one left that was killed early. */
test('a data directory is for its user alone, and a database without its key is refused', async () => {
  const fresh = mkdtempSync(join(directory, 'fresh-'))
  const key = 'a generated key of at least 32 characters'
  writeFileSync(join(fresh, 'secret.key'), key, { mode: 0o600 })
  const umask = process.umask(0)
  const first = await run({ DATA_DIR: fresh }, [], 'Waybill is ready')
  expect([first.status, openToOthers(fresh), readFileSync(join(fresh, 'secret.key'), 'utf8')]).toEqual([0, [], key])

  for (const path of everythingIn(fresh)) chmodSync(path, 0o777)
  const count = everythingIn(fresh).length - 1
  rmSync(join(fresh, 'secret.key'))
  const second = await run({ DATA_DIR: fresh })
  process.umask(umask)
  expect([second.status, second.lines]).toEqual([
    1,
    [
      `Other users of this machine could open ${count} files and directories in ${fresh}; they no longer can.`,
      expect.stringMatching(
        /^Waybill cannot start: \S+ holds a database but not its secret\.key, .* Put secret\.key back/,
      ),
    ],
  ])
  expect([openToOthers(fresh), existsSync(join(fresh, 'secret.key'))]).toEqual([[], false])
})
