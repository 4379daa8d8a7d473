import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { openTestStore } from '#testing/open-test-store.ts'
import { testSecretKey } from '#testing/make-test-app.ts'
import { compose } from './compose.ts'

const database = await openTestDatabase()
const login = { ADMIN_EMAIL: 'admin@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
const { app, ensureSuperuser } = await compose({
  role: 'api',
  config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...login }),
  secretKey: testSecretKey,
  database,
  store: await openTestStore(),
  clock: systemClock,
  log: pino({ level: 'silent' }),
})
afterAll(() => app.close())

test('a server is ready once somebody can log in, and not before', async () => {
  const ready = async () => {
    const answer = await app.inject({ url: '/readyz' })
    return [answer.statusCode, answer.json<{ checks: unknown }>().checks]
  }
  const others = { database: 'ok', worker: 'ok' }
  expect(await ready()).toEqual([503, { ...others, administrator: 'failing' }])
  await ensureSuperuser()
  expect(await ready()).toEqual([200, { ...others, administrator: 'ok' }])
})
