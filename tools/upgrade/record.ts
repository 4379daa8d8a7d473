// npm run release:record: keeps what a release stores, for the upgrade test of the next one (docs/releasing.md).
// Needs pg_dump, and an empty database of a PostgreSQL that is no newer: DATABASE_URL. `--from` is a checkout of the release.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { administrator, fill, type Recorded } from './fill.ts'

const { values: flags } = parseArgs({ options: { from: { type: 'string', default: '.' } } })
const checkout = resolve(flags.from)
const { DATABASE_URL = '' } = process.env
const secretKey = 'a secret key for the upgrade test, of 32 or more'

/** Runs the release on the database until the work is done. */
const withRelease = async <T>(use: (origin: string) => Promise<T>): Promise<T> => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-record-'))
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL,
    SECRET_KEY: secretKey,
    DATA_DIR: directory,
    PORT: '0',
    ADMIN_EMAIL: administrator.username,
    ADMIN_PASSWORD: administrator.password,
  }
  const server = spawn('node', ['--disable-warning=ExperimentalWarning', 'server/main.ts'], { cwd: checkout, env })
  const ended = new Promise<void>((done) => server.on('exit', () => done()))
  try {
    return await use(await originOf(server))
  } finally {
    server.kill('SIGTERM')
    await ended
    rmSync(directory, { recursive: true })
  }
}

const originOf = (server: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let said = ''
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const origin = /Waybill is ready at (\S+)/.exec(said)?.[1]
      if (origin !== undefined) done(origin)
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.on('exit', () => fail(new Error(`The release did not start: ${said}`)))
  })

const recorded = await withRelease(fill)
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
const sql = execFileSync(
  'pg_dump',
  ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100', DATABASE_URL],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  },
)
// Lines of psql itself are none of SQL.
const statements = sql.replaceAll(/^\\.*$/gm, '')
const facts: Recorded = { madeBy: `${version} (${commit})`, secretKey, ...recorded }
writeFileSync(join(import.meta.dirname, 'previous.sql.gz'), gzipSync(statements, { level: 9 }))
writeFileSync(join(import.meta.dirname, 'previous.json'), `${JSON.stringify(facts, null, 1)}\n`)
console.log(`recorded ${facts.madeBy}`)
