import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { argon2Passwords, type Passwords } from '#platform/auth/passwords.ts'
import { makeWrite } from '#platform/http/idempotency.ts'
import { systemClock } from '#platform/clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeIdentity, type IdentityConfig } from './index.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'

const { db } = await openTestDatabase()
const log = pino({ level: 'silent' })
const write = makeWrite({ db, ...testIdempotency })
const start = (config: IdentityConfig = {}, passwords: Passwords = argon2Passwords()) =>
  makeIdentity({
    db,
    clock: systemClock,
    write,
    log,
    passwords,
    tokenKey: Buffer.alloc(32),
    csrfKey: Buffer.alloc(32),
    config,
    baseUrl: () => '',
  })

afterEach(async () => {
  await db.deleteFrom('users').execute()
})

test('the first start makes a superuser that can log in, later ones make none', async () => {
  const identity = start()
  const login = await identity.ensureSuperuser()
  expect(login).toEqual({ email: 'admin@waybill.local', password: expect.stringMatching(/^[\w-]{20}$/) })
  const result = await identity.verifyLogin(login?.email ?? '', login?.password ?? '', '127.0.0.1')
  expect(result).toMatchObject({ ok: true, user: { isSuperuser: true, isStaff: true } })
  expect(await start().ensureSuperuser()).toBeUndefined()
})

test('the configured e-mail and password are used', async () => {
  const config = { ADMIN_EMAIL: 'Root@Example.com', ADMIN_PASSWORD: 'correct horse' }
  expect(await start(config).ensureSuperuser()).toEqual({ email: 'Root@Example.com', password: 'correct horse' })
  expect(await start().verifyLogin('root@example.com', 'correct horse', '127.0.0.1')).toMatchObject({ ok: true })
})

test('a later start knows whether ADMIN_PASSWORD is ignored', async () => {
  const config = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'correct horse' }
  await start(config).ensureSuperuser()
  const isIgnored = (changed: IdentityConfig) => start({ ...config, ...changed }).isAdminPasswordIgnored()
  expect(await isIgnored({})).toBe(false)
  expect(await isIgnored({ ADMIN_PASSWORD: undefined })).toBe(false)
  expect(await isIgnored({ ADMIN_PASSWORD: 'another horse' })).toBe(true)
  expect(await isIgnored({ ADMIN_EMAIL: 'other@example.com' })).toBe(true)
  await db.updateTable('users').set({ isActive: false }).execute()
  expect(await isIgnored({})).toBe(true)
})

test('of several processes that start at once, exactly one makes it', async () => {
  const processes = 5
  const passwords = argon2Passwords()
  // All have looked, and found nobody, before any goes on.
  const allLooked = Promise.withResolvers<void>()
  let looked = 0
  const hash = async (password: string): Promise<string> => {
    looked += 1
    if (looked === processes) allLooked.resolve()
    await allLooked.promise
    return passwords.hash(password)
  }
  const starting = Array.from({ length: processes }, () => start({}, { ...passwords, hash }).ensureSuperuser())
  const logins = await Promise.all(starting)
  const made = logins.filter((login) => login !== undefined)
  expect(made.length).toBe(1)
  expect((await db.selectFrom('users').select('id').execute()).length).toBe(1)
  expect(await start().verifyLogin('admin@waybill.local', made[0]?.password ?? '', '127.0.0.1')).toMatchObject({
    ok: true,
  })
})

test('a password that is the e-mail stops the start', async () => {
  const config = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'ROOT@example.com' }
  await expect(start(config).ensureSuperuser()).rejects.toThrow('ADMIN_PASSWORD')
})
