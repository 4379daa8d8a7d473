import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, settings, testVault } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceivers } from '../attempt/receivers.ts'
import type { Rotation } from './secrets.ts'
import type { SubscriptionSettings } from '../subscriber/subscription.ts'
import { urlsOf } from './sealed.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscriptions, subscribe, clear } = makeDeliveries({ db, clock })
beforeEach(clear)

const hmac = {
  secret: 'first',
  url: 'http://127.0.0.1:9/in',
  auth: { auth_type: 'basic', username: 'u', password: 'p' },
} as const
const pair = { signature: 'v1a', secret: 'a secret' } as const
const rotate = (id: number, rotation: Partial<Rotation> = {}) =>
  inTransaction(db, (tx) => subscriptions.rotateSecret(tx, id, { now: clock.now(), ...rotation }))
const revoke = (id: number) => inTransaction(db, (tx) => subscriptions.revokePreviousSecrets(tx, id))
const replace = (id: number, by: Partial<SubscriptionSettings>) =>
  inTransaction(db, (tx) => subscriptions.replace(tx, id, { ...settings, ...by }))
const state = (id: number) => subscriptions.findSecrets(db, id)
const row = (id: number) => db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** How many keys a worker that loads the subscription now signs with. */
const signers = async (id: number): Promise<number | undefined> => {
  const receivers = makeReceivers({ db, vault: testVault, log: pino({ level: 'silent' }) })
  await receivers.load([{ subscriptionId: id, version: (await row(id)).version }])
  return receivers.get(id)?.keys?.standard.length
}

describe('rotating the secret of a subscription', () => {
  test('keeps the old one for the overlap, and every other setting', async () => {
    const id = await subscribe(hmac)
    const before = await subscriptions.find(db, id)
    const rotated = await rotate(id, { secret: 'second', overlapMs: 60_000 })
    const until = new Date(clock.now().getTime() + 60_000)
    expect(rotated).toEqual({ signature: 'v1', secret: 'second', publicKey: null, previousUntil: [until] })
    expect(await state(id)).toEqual(rotated)
    expect(await subscriptions.find(db, id)).toEqual({ ...before, secret: 'second', version: 2 })
    expect(await signers(id)).toBe(2)
  })

  test('changes nothing that was learned about its receiver', async () => {
    const id = await subscribe(hmac)
    await db.updateTable('subscriptions').set({ failures: 3, holdUntil: clock.now() }).where('id', '=', id).execute()
    await rotate(id)
    expect(await row(id)).toMatchObject({ failures: 3, holdUntil: clock.now() })
  })

  test('of v1a shows the new public key and never the private one', async () => {
    const id = await subscribe(pair)
    const before = await state(id)
    const rotated = await rotate(id)
    expect(before?.publicKey).toMatch(/^whpk_/)
    expect(rotated?.publicKey).toMatch(/^whpk_/)
    expect(rotated?.publicKey).not.toBe(before?.publicKey)
    expect(JSON.stringify([rotated, await subscriptions.find(db, id)])).not.toContain('whsk_')
    expect(await signers(id)).toBe(2)
  })

  test('leaves no secret readable', async () => {
    const [one, other] = [await subscribe(hmac), await subscribe(pair)]
    const made = [await rotate(one), await rotate(one), await rotate(other)]
    const text = JSON.stringify([await row(one), await row(other)])
    for (const secret of ['first', 'a secret', 'whsk_', 'whsec_', made[0]?.secret, made[1]?.secret])
      expect(text).not.toContain(secret)
  })

  test('in a transaction that fails changes nothing', async () => {
    const id = await subscribe(hmac)
    const failing = inTransaction(db, async (tx) => {
      await subscriptions.rotateSecret(tx, id, { now: clock.now() })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await row(id)).toMatchObject({ version: 1 })
    expect((await state(id))?.secret).toBe('first')
  })

  test('twice at once keeps both old ones', async () => {
    const id = await subscribe(hmac)
    await Promise.all([rotate(id, { secret: 'second' }), rotate(id, { secret: 'third' })])
    expect((await state(id))?.previousUntil).toHaveLength(2)
    expect(await row(id)).toMatchObject({ version: 3 })
  })

  test('of one that was removed, or never was, is undefined', async () => {
    const id = await subscribe(hmac)
    await inTransaction(db, (tx) => subscriptions.remove(tx, id))
    for (const gone of [id, 999_999]) {
      expect(await rotate(gone)).toBeUndefined()
      expect(await revoke(gone)).toBeUndefined()
      expect(await state(gone)).toBeUndefined()
    }
  })
})

describe('an overlap', () => {
  test('ends at once when the old secrets are revoked', async () => {
    const id = await subscribe(hmac)
    await rotate(id, { secret: 'second' })
    expect(await revoke(id)).toMatchObject({ secret: 'second', previousUntil: [] })
    expect(await row(id)).toMatchObject({ version: 3 })
    expect(await signers(id)).toBe(1)
  })

  test('that there is none of is no change', async () => {
    const id = await subscribe(hmac)
    expect(await revoke(id)).toMatchObject({ secret: 'first', previousUntil: [] })
    expect(await row(id)).toMatchObject({ version: 1 })
  })

  test('lasts through a change of other settings, and ends with another secret', async () => {
    const id = await subscribe(hmac)
    await rotate(id, { secret: 'second' })
    await replace(id, { ...hmac, secret: 'second', url: 'http://127.0.0.1:9/other' })
    expect((await state(id))?.previousUntil).toHaveLength(1)
    await replace(id, { ...hmac, secret: 'third' })
    expect(await state(id)).toMatchObject({ secret: 'third', previousUntil: [] })
  })
})

test('choosing key pairs makes one, which lasts through a change of other settings', async () => {
  const id = await subscribe(hmac)
  await replace(id, { ...hmac, signature: 'v1a' })
  const chosen = await state(id)
  expect(chosen).toMatchObject({ signature: 'v1a', secret: 'first', publicKey: expect.stringMatching(/^whpk_/) })
  await replace(id, { ...hmac, signature: 'v1a', url: 'http://127.0.0.1:9/other' })
  expect(await state(id)).toEqual(chosen)
})

test('a subscription from before there was a choice signs as it did', async () => {
  const id = await subscribe(hmac)
  const sealed = testVault.seal(JSON.stringify({ url: hmac.url, headers: null, secret: 'first', auth: null }))
  await db.updateTable('subscriptions').set({ sealed }).where('id', '=', id).execute()
  expect(await state(id)).toEqual({ signature: 'v1', secret: 'first', publicKey: null, previousUntil: [] })
  expect(await signers(id)).toBe(1)
  expect(await subscriptions.find(db, id)).toMatchObject({ signature: 'v1', secret: 'first' })
})

test('the URLs of subscriptions are read, ended ones included, without those that cannot be', async () => {
  const [one, ended, damaged] = [await subscribe(hmac), await subscribe(hmac), await subscribe(hmac)]
  await inTransaction(db, (tx) => subscriptions.remove(tx, ended))
  await db.updateTable('subscriptions').set({ sealed: 'v1.x' }).where('id', '=', damaged).execute()
  expect(await urlsOf(db, testVault, [one, ended, damaged, 999_999])).toEqual(
    new Map([
      [one, hmac.url],
      [ended, hmac.url],
    ]),
  )
})
