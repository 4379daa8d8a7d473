import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { attemptsOf } from '../log/delivery-log.ts'
import type { ReceiverAuth } from '../subscriber/subscription.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const signIn = await makeReceiver()

let engine: TestEngine
let packages = 0
let tokens = 0
/** The token that the receiver takes; it hands out a new one at each sign-in. */
let valid = ''

const tokenAuth: ReceiverAuth = {
  auth_type: 'token',
  url: `${signIn.url}/login`,
  username: 'ayşe',
  password: 'p&ss=word',
  username_field: 'user',
  password_field: 'pass',
  token_key: 'key',
  header_format: 'Token {}',
}

const subscribe = (auth: ReceiverAuth): Promise<number> =>
  inTransaction(db, (tx) =>
    engine.subscriptions.create(tx, {
      ...settings,
      url: receiver.url,
      auth,
      retry: { choice: 'fixed', kwargs: { seconds: 0 } },
    }),
  )
const raise = async (count = 1): Promise<void> => {
  for (let event = 0; event < count; event++) {
    packages += 1
    await inTransaction(db, (tx) => engine.outbox.append(tx, [packageCreated(packages)]))
  }
}
const deliveries = () => db.selectFrom('deliveries').selectAll().orderBy('id').execute()
const allEnded = (): Promise<void> =>
  vi.waitFor(async () => expect((await deliveries()).filter(({ status }) => status === 'pending')).toEqual([]), {
    timeout: 10_000,
  })

beforeEach(async () => {
  await clear()
  receiver.received.length = 0
  signIn.received.length = 0
  signIn.answer(() => {
    tokens += 1
    valid = `token-${tokens}`
    return { body: JSON.stringify({ key: valid }) }
  })
  receiver.answer(({ headers }) => ({ status: headers.authorization === `Token ${valid}` ? 200 : 401 }))
  engine = await makeTestEngine(database, { maxAttempts: 3 })
})
afterEach(() => engine.stop())

describe('a receiver that wants a password', () => {
  test('gets it with every delivery, in UTF-8', async () => {
    receiver.answer({})
    await engine.start()
    await subscribe({ auth_type: 'basic', username: 'ayşe', password: 'p:ss' })
    await raise()
    const [received] = await receiver.got(1)
    expect(received?.headers.authorization).toBe(`Basic ${Buffer.from('ayşe:p:ss').toString('base64')}`)
  })
})

describe('a receiver that wants a token', () => {
  test('is signed in at once, with a form, for all deliveries', async () => {
    await engine.start()
    await subscribe(tokenAuth)
    await raise(10)
    await allEnded()
    expect(signIn.received).toHaveLength(1)
    const [form] = signIn.received
    expect(form).toMatchObject({ method: 'POST', path: '/login' })
    expect(form?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(form?.body.toString()))).toEqual({ user: 'ayşe', pass: 'p&ss=word' })
    expect(receiver.received).toHaveLength(10)
  })

  test('and refuses the one it gave before is signed in again for the next attempt', async () => {
    await engine.start()
    await subscribe(tokenAuth)
    await raise()
    await allEnded()
    valid = 'another'
    await raise()
    await allEnded()
    expect(signIn.received).toHaveLength(2)
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 2],
    ])
  })

  test('and refuses the one it gave before is signed in again for the next attempt by hand', async () => {
    await subscribe(tokenAuth)
    await raise()
    const [delivery] = await deliveries()
    const id = delivery?.id ?? 0
    expect(await engine.attemptNow(id)).toMatchObject({ ok: true, delivered: true })
    valid = 'another'
    expect(await engine.attemptNow(id)).toMatchObject({ ok: true, delivered: false, responseStatus: 401 })
    expect(await engine.attemptNow(id)).toMatchObject({ ok: true, delivered: true })
  })

  test.each([
    ['refuses to sign us in', { status: 403, body: '{"key":"token-x"}' }],
    ['answers without a token', { body: '{"token":"token-x"}' }],
    ['answers with a token that is no text', { body: '{"key":{"a":1}}' }],
    ['answers with a token that cannot be a header', { body: JSON.stringify({ key: 'a\r\nx-evil: 1' }) }],
    ['answers with something else', { body: '<html>' }],
    ['answers with null', { body: 'null' }],
    ['breaks the connection', { instead: 'reset' as const }],
  ])('but %s is sent nothing, and the attempts fail', async (_, answer) => {
    signIn.answer(answer)
    await engine.start()
    await subscribe(tokenAuth)
    await raise()
    await allEnded()
    expect(receiver.received).toEqual([])
    // Each attempt asked anew.
    expect(signIn.received).toHaveLength(3)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 'failed', attempts: 3, lastStatus: null })
    expect(delivery?.lastReason).toBe('sign_in_failed')
    const [first] = await attemptsOf(db, delivery?.id ?? 0)
    expect(first?.detail).toMatch(
      /^No token came from http:\/\/127\.0\.0\.1:\d+\. (It answered HTTP \d+|The connection broke \(.+\))\.$/,
    )
  })

  test('shows neither account nor token in the log of its attempts', async () => {
    await engine.start()
    await subscribe(tokenAuth)
    await raise()
    await allEnded()
    const log = JSON.stringify(await db.selectFrom('attempts').selectAll().execute())
    expect(log).toContain('authorization: ********')
    for (const text of [valid, 'p&ss', 'ayşe']) expect(log).not.toContain(text)
  })
})
