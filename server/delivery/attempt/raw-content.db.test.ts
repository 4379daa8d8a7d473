import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { eventually } from '#testing/eventually.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Received } from '#testing/receiver.ts'
import { attempt, type AttemptDeps, type Attempted } from './attempt.ts'
import { makeContents } from './content.ts'
import { attemptsOf, findDelivery, listDeliveries, listedBodyBytes } from '../log/delivery-log.ts'
import { maxContentBytes } from '../outbox/message.ts'
import { makeGuard } from '../outbound/guard/guard.ts'
import { makeSender } from '../outbound/sender.ts'
import { claim, claimOne, maxClaimedBytes, type Claimed } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { makeReceiverSignIn } from './receiver-auth.ts'
import { prepareReceiver } from './request-headers.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const receiver = await makeReceiver()
const { outbox, subscribe, queue, find, clear } = makeDeliveries({ db, clock })
const sender = makeSender({ guard: makeGuard({ allowedNetworks: [], allowLoopback: true }) })
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const deps: AttemptDeps = {
  clock,
  sender,
  contents: makeContents(db),
  webhookId: (id) => `id-${id}`,
  userAgent: 'Waybill/test',
  maxAttempts: 18,
  signIn: makeReceiverSignIn(sender),
}
beforeEach(async () => {
  await clear()
  receiver.answer({})
  receiver.received.length = 0
})

const csv = 'text/csv; charset=latin1'
const send = async (subscriptionId: number, bytes: Uint8Array, mediaType = csv): Promise<number> => {
  const about = { type: 'flow.data', scope: 'flows', object: { type: 'flow', id: 1 } } as const
  const id = await inTransaction(db, (tx) =>
    outbox.send(tx, subscriptionId, { ...about, content: { mediaType, bytes } }),
  )
  return id ?? 0
}
const attemptOf = async (claimed: Claimed | undefined): Promise<Attempted> => {
  if (claimed === undefined) throw new Error('Nothing was claimed.')
  const to = { ...settings, id: claimed.subscriptionId, version: 1, url: receiver.url, secret }
  const made = await attempt(deps, prepareReceiver({ ...to, dialect: 'whisperer' }), claimed, () => true)
  if (made.made) await finish(db, [made.attemptResult])
  return made
}
/** What claims bring that is due now. */
const claimAll = (subscriptionId: number): Promise<Claimed[]> =>
  claim(
    db,
    clock.now(),
    ([0, 1] as const).map((lane) => ({ subscriptionId, lane, limit: 256 })),
  )

/** Signatures as a receiver computes them who knows the documents and nothing of this server. */
const expectSigned = ({ headers, body }: Received): void => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const head = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`)
  const standard = createHmac('sha256', key)
    .update(Buffer.concat([head, body]))
    .digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${standard}`)
  expect(headers['x-whisperer-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
}
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
const large = Buffer.alloc(maxContentBytes, every)

describe('content that is passed through', () => {
  test('arrives byte for byte on every attempt, whatever it is, signed as it is', { timeout: 60_000 }, async () => {
    const subscription = await subscribe({ url: receiver.url })
    const contents = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 1, maxLength: 20 }).map((some) => Buffer.alloc(maxClaimedBytes, some)),
    )
    const property = fc.asyncProperty(contents, async (bytes) => {
      receiver.received.length = 0
      let requests = 0
      receiver.answer(() => ({ status: (requests += 1) < 3 ? 500 : 200 }))
      const id = await send(subscription, bytes)
      for (let number = 1; number <= 3; number++) {
        await attemptOf(await claimOne(db, clock.now(), id))
        clock.advance(1_000)
      }
      expect(await find(id)).toMatchObject({ status: 'delivered', attempts: 3 })
      expect(receiver.received).toHaveLength(3)
      for (const one of receiver.received) {
        expect(digest(one.body)).toBe(digest(bytes))
        expect(one.headers).toMatchObject({ 'content-type': csv, 'content-length': String(bytes.length) })
        expectSigned(one)
      }
      // Each attempt has a timestamp of its own, so no signature is that of another.
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(3)
    })
    await fc.assert(property, {
      ...tries(10, 25),
      examples: [[new Uint8Array()], [Buffer.from([0])], [every], [Buffer.from('[{"a":1}]')], [Buffer.from('çay\r\n')]],
    })
  })

  test('may have 1 MiB', async () => {
    const subscription = await subscribe({ url: receiver.url })
    const id = await send(subscription, large, 'application/octet-stream')
    const [claimed] = await claimAll(subscription)
    expect(claimed).toMatchObject({ id, body: null, bodyBytes: Math.ceil((maxContentBytes * 4) / 3) })
    await attemptOf(claimed)
    const [received] = await receiver.got(1)
    expect(received?.headers).toMatchObject({ 'content-length': '1048576', 'content-type': 'application/octet-stream' })
    expect(received?.body.equals(large)).toBe(true)
    if (received !== undefined) expectSigned(received)
    const [logged] = await attemptsOf(db, id)
    expect(logged?.requestHeaders).toMatchObject({ 'content-type': 'application/octet-stream' })
  })

  test.each([
    ['is longer', { mediaType: csv, bytes: Buffer.alloc(maxContentBytes + 1) }],
    ['has no media type', { mediaType: 'text/csv\r\nx: y', bytes: every }],
  ])('is not taken when it %s', async (_, { mediaType, bytes }) => {
    const subscription = await subscribe()
    await expect(send(subscription, bytes, mediaType)).rejects.toThrow(TypeError)
  })

  test('is told from JSON in the log, where a list leaves a long one out', async () => {
    const subscription = await subscribe()
    const [json = 0] = await queue(subscription, 1)
    const id = await send(subscription, every)
    const long = await send(subscription, Buffer.alloc(listedBodyBytes))
    expect(await findDelivery(db, json, [subscription])).toMatchObject({ content: null })
    const list = defineList({ key: 'deliveries.id' })
    const { rows } = await listDeliveries(db, list, { subscriptionIds: [subscription] }, { page: 1, limit: 10 })
    expect(rows).toMatchObject([
      { id: json, body: expect.stringContaining('"type":"package.created"'), content: null },
      { id, body: null, content: { mediaType: csv, bytes: every } },
      { id: long, body: null, content: { mediaType: csv, bytes: null } },
    ])
    const whole = await findDelivery(db, long, [subscription])
    expect(whole?.content?.bytes?.length).toBe(listedBodyBytes)
  })
})

describe('a large body', () => {
  test('of JSON is sent as it was stored, too', async () => {
    const subscription = await subscribe({ url: receiver.url })
    const { data, ...event } = packageCreated(1)
    const note = `${'ş'.repeat(maxClaimedBytes)}\u0000`
    await inTransaction(db, (tx) => outbox.append(tx, [{ ...event, data: { ...data, note } } as never]))
    const [claimed] = await claimAll(subscription)
    expect(claimed).toMatchObject({ body: null, contentType: null })
    await attemptOf(claimed)
    const [received] = await receiver.got(1)
    expect(received?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(received?.body.toString() ?? '')).toMatchObject({ data: { note } })
    if (received !== undefined) expectSigned(received)
  })

  test('waits for room in memory, and is given back when there is none in time', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    for (let sent = 0; sent < 6; sent++) await send(one, large)
    await send(other, large)
    const claims = [...(await claimAll(one)), ...(await claimAll(other))]
    const [{ bodyBytes } = { bodyBytes: 0 }] = claims
    // A share of two bodies of eight.
    const contents = makeContents(db, { maxBytes: 8 * bodyBytes, waitMs: 300 })
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let inMemory = 0
    const held: number[] = []
    const uses = claims.map((claimed) =>
      contents.use(claimed, 'id', async () => {
        held.push(claimed.subscriptionId)
        inMemory += 1
        await isOver
        inMemory -= 1
        return claimed.id
      }),
    )
    const refused = await Promise.all(uses.slice(2, 6))
    expect(refused).toEqual([undefined, undefined, undefined, undefined])
    // The body of the other is read from the database, which may take longer than they waited.
    await eventually(() => expect([inMemory, held.toSorted((a, b) => a - b)]).toEqual([3, [one, one, other]]))
    end()
    const [first, second] = claims
    expect(await Promise.all([uses[0], uses[1]])).toEqual([first?.id, second?.id])
    // The room is free again, also after a failure.
    if (first === undefined) throw new Error('Nothing was claimed.')
    const fail = () => contents.use(first, 'id', () => Promise.reject(new Error('broken')))
    for (let time = 0; time < 3; time++) await expect(fail()).rejects.toThrow('broken')
  })

  test('whose event has been dropped is not sent', async () => {
    const subscription = await subscribe({ url: receiver.url })
    await send(subscription, large)
    const [claimed] = await claimAll(subscription)
    await db.deleteFrom('events').execute()
    expect(await attemptOf(claimed)).toEqual({ made: false })
    expect(receiver.received).toEqual([])
  })
})
