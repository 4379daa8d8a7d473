import { pino } from 'pino'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeWrite } from '#platform/http/idempotency.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { insertKey, refuseToken } from './credential-store.ts'
import { makeIdentity } from './index.ts'
import { insertRefreshToken, insertSession } from './session-store.ts'
import { testIdempotency } from '#testing/idempotency-keys.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const log = pino({ level: 'silent' })
const write = makeWrite({ db, ...testIdempotency })
const identity = makeIdentity({
  db,
  clock,
  write,
  log,
  tokenKey: Buffer.alloc(32),
  csrfKey: Buffer.alloc(32),
  config: {},
  baseUrl: () => '',
})

test('tidying up removes what has ended, with the refresh tokens of ended sessions, and keeps the rest', async () => {
  await identity.ensureSuperuser()
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const now = clock.now()
  const inAnHour = new Date(now.getTime() + 3_600_000)
  const key = { userId, kind: 'api', prefix: 'wbk_', scopes: null, createdAt: now } as const
  await inTransaction(db, async (tx) => {
    for (const [name, expiresAt] of [
      ['ended', now],
      ['running', inAnHour],
      ['endless', null],
    ] as const) {
      await insertKey(tx, { ...key, name, keyHash: name, expiresAt })
      if (expiresAt === null) continue
      await refuseToken(tx, name, expiresAt)
      const { id } = await insertSession(tx, { userId, createdAt: now, expiresAt, address: '', userAgent: '' })
      await insertRefreshToken(tx, { tokenHash: name, familyId: id, createdAt: now })
    }
  })

  await identity.tidy()

  const keys = await db.selectFrom('accessKeys').select('name').orderBy('id').execute()
  expect(keys.map(({ name }) => name)).toEqual(['running', 'endless'])
  expect(await db.selectFrom('refusedTokens').select('tokenHash').execute()).toEqual([{ tokenHash: 'running' }])
  expect(await db.selectFrom('refreshTokens').select('tokenHash').execute()).toEqual([{ tokenHash: 'running' }])
  expect((await db.selectFrom('tokenFamilies').select('id').execute()).length).toBe(1)
})
