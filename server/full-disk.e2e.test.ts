import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { PgliteProcess } from '#platform/db/pglite-process.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-full-disk-'))
const disk = join(directory, 'disk')
mkdirSync(disk)
/** Whether this user may mount a small file system, as root may. */
const isMounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    process.stdout.write('The test of a full disk is left out: it mounts a small one, which only root may.\n')
    return false
  }
})()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(directory, { recursive: true, force: true })
})

const ballast = join(disk, 'ballast')
const fill = (): void => {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
}

const login = { username: 'admin@waybill.test', password: 'correct horse battery' }

test.runIf(isMounted)('a full disk is 503 with what to do, and room on it is all that a server needs', async () => {
  installDatabase(join(disk, 'data'))
  const environment = { LOG_LEVEL: 'warn', ADMIN_EMAIL: login.username, ADMIN_PASSWORD: login.password }
  const server = await startServer({ ...environment, DATA_DIR: join(disk, 'data') }, directory)
  const call = (path: string, body?: object, headers = {}) =>
    fetch(`${server.origin}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  const { key } = (await (await call('/api/v1/auth/login/', login)).json()) as { key: string }
  const authorization = { authorization: `Token ${key}` }
  let codes = 0
  /** Text enough that what is free in the pages of the table is soon used. */
  const create = () =>
    call('/api/v1/stock_locations/', { code: `L-${++codes}`, name: 'L', address: 'x'.repeat(1_000) }, authorization)
  const ready = async () => (await call('/readyz')).status
  expect((await create()).status).toBe(201)

  fill()
  const made: string[] = []
  const waits: (string | null)[] = []
  await expect
    .poll(async () => {
      const answer = await create()
      expect([201, 503]).toContain(answer.status)
      if (answer.status === 201) made.push(`L-${codes}`)
      else waits.push(answer.headers.get('retry-after'))
      return answer.status
    })
    .toBe(503)
  expect(waits).toEqual(['1'])
  await expect.poll(ready).toBe(503)
  const { checks, reasons } = (await (await call('/readyz')).json()) as { checks: object; reasons: object }
  expect(checks).toMatchObject({ database: 'ok', writes: 'failing' })
  expect(reasons).toEqual({ writes: expect.stringContaining('Make room on it') })
  expect((await call('/api/v1/stock_locations/?limit=1', undefined, authorization)).status).toBe(200)

  rmSync(ballast)
  await expect.poll(ready).toBe(200)
  expect((await create()).status).toBe(201)
  const list = await call('/api/v1/stock_locations/?limit=1000', undefined, authorization)
  const kept = ((await list.json()) as { code: string }[]).map(({ code }) => code)
  expect(kept).toEqual(expect.arrayContaining(made))
  expect(await server.stop()).toBe(0)
})

test.runIf(isMounted)('an embedded database that cannot write its log says that it has ended', async () => {
  const pglite = new PgliteProcess({ directory: join(disk, 'data/database') })
  const { db, close } = await openPglite({}, pglite)
  fill()
  const log = async () => {
    for (;;) await sql`select pg_logical_emit_message(true, '', repeat('-', 1000000))`.execute(db)
  }
  await expect(log()).rejects.toThrow(DatabaseUnavailable)
  expect((await pglite.broken).message).toContain('could not be synced')
  await close()
})
