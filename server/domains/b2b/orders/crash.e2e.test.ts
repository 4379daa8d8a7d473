import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { request } from 'undici'
import { afterAll, expect, test, vi } from 'vitest'
import type { Database } from '#platform/db/database.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { openPostgres } from '#platform/db/open-postgres.ts'
import { serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { makeReceiver, type Received, type Receiver, type Reply } from '#testing/receiver.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-orders-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { url, remove } = await createDatabase()
afterAll(remove)

/** A platform that knows the keys that it has seen; it outlives the servers. */
const makePlatform = async () => {
  const shop = await makeReceiver()
  const numbers = new Map<string, string>()
  const take = ({ headers }: Received): Reply => {
    const key = String(headers['idempotency-key'])
    const number = numbers.get(key) ?? `S-${7_001 + numbers.size}`
    numbers.set(key, number)
    return { status: 201, body: JSON.stringify({ number }) }
  }
  return {
    shop,
    numbers,
    answerWell: (): void => shop.answer(take),
    /** From now on it takes what comes, answers the second one and kills the server a millisecond later; the others wait for ever. */
    answerOne: ({ pid, kill }: ServerProcess, isFrozen: boolean): Promise<{ held: string[]; answered: string[] }> => {
      const keys: string[] = []
      const { promise, resolve } = Promise.withResolvers<{ held: string[]; answered: string[] }>()
      shop.answer((received) => {
        const reply = take(received)
        keys.push(String(received.headers['idempotency-key']))
        if (keys.length !== 2) return { instead: 'hang' }
        const dead = async (): Promise<void> => {
          await kill()
          resolve({ held: keys.toSpliced(1, 1), answered: keys.slice(1, 2) })
        }
        if (isFrozen) process.kill(pid, 'SIGSTOP')
        setTimeout(() => void dead(), 1)
        return reply
      })
      return promise
    },
  }
}

interface Setting {
  readonly engine: string
  readonly environment: Readonly<Record<string, string>>
  readonly open: () => Promise<Database>
  readonly platform: Awaited<ReturnType<typeof makePlatform>>
}
const dataDir = (engine: string): string => join(directory, engine, 'data')
/** That what is committed stays, on either database, is shown by the crashes of the engine; here one of them will do. */
const settings: readonly Setting[] = [
  {
    engine: 'embedded',
    environment: { DATA_DIR: dataDir('embedded') },
    open: () => openPglite({ directory: join(dataDir('embedded'), 'database') }),
    platform: await makePlatform(),
  },
  {
    engine: 'postgres',
    environment: { DATA_DIR: dataDir('postgres'), DATABASE_URL: url },
    open: () => openPostgres({ url, poolSize: 2 }),
    platform: await makePlatform(),
  },
]

/** With 5 units for each order: 5 + 5 + 2 and 5 + 3. */
const wanted = { main: 12, branch: 8 }
const ordersOfEach = 5
/** Whether a server is stopped when the platform answers, so that it cannot read that, or dies with it read or not, written or not. */
const deaths = [{ isFrozen: true }, { isFrozen: false }]

test.concurrent.each(settings.filter(({ engine }) => isEverythingWanted || engine === 'postgres'))(
  'of each key there is one order, there and here, when servers die while the platform works and right after it ($engine)',
  { timeout: 120_000 },
  async ({ engine, environment, open, platform }) => {
    const { shop, numbers } = platform
    const place = join(directory, engine)
    mkdirSync(place, { recursive: true })
    if (engine === 'embedded') installDatabase(dataDir(engine))
    const started = { ...serverEnvironment, ...environment, ...connectedTo(shop), B2B_BULK_PROCESSES_BATCH_SIZE: '5' }

    let server = await startServer(started, place)
    const company = await makeCompany(server.origin)
    const quotations: number[] = []
    const unwritten = { held: 0, answered: 0 }
    for (const { isFrozen } of deaths) {
      const { origin } = server
      const id = await company.ask(origin)
      quotations.push(id)
      const dying = platform.answerOne(server, isFrozen)
      // Its answer may be lost as well.
      const approving = company.approve(origin, id).catch(() => undefined)
      const { held, answered } = await dying
      await approving
      const left = await timePasses(open)
      unwritten.held += held.filter((key) => isAmong(left, key)).length
      unwritten.answered += answered.filter((key) => isAmong(left, key)).length
      expect([held.length > 0, held.every((key) => isAmong(left, key))]).toEqual([true, true])
      platform.answerWell()
      server = await startServer(started, place)
      await company.allCreated(server.origin, quotations)
    }
    const orders = await Promise.all(quotations.map((id) => company.ordersOf(server.origin, id)))
    expect(await server.stop()).toBe(0)
    process.stdout.write(`orders, ${engine}: taken there and not written here: ${JSON.stringify(unwritten)}\n`)

    // The trouble was real: an answer was on its way to the frozen server.
    expect(unwritten.answered).toBeGreaterThan(0)
    for (const [index, ofOne] of orders.entries()) {
      const keys = ofOne.map(({ division, batch_no: batch }) => `-${quotations[index]}-1-${division.id}-${batch}`)
      expect([ofOne.length, new Set(keys).size]).toEqual([ordersOfEach, ordersOfEach])
      const there = keys.map((key) => [...numbers].filter(([known]) => known.endsWith(key)).map(([, number]) => number))
      expect(ofOne.map((order) => [order.remote_number])).toEqual(there)
    }
    expect(numbers.size).toBe(ordersOfEach * quotations.length)
    expect(changedBodies(shop.received)).toEqual([])
  },
)

const connectedTo = (shop: Receiver) => ({
  COMMERCE_CONNECTOR: 'http',
  COMMERCE_URL: shop.url,
  COMMERCE_SECRET: 'a secret that two machines share',
})

/** Orders that a server left behind when it died: the minute that it had for each try passes. @returns the ends of their keys. */
const timePasses = async (open: () => Promise<Database>): Promise<string[]> => {
  const database = await open()
  const { rows } = await sql<{ key: string }>`
    update quotation_orders set next_attempt_at = now() where status <> 'created'
    returning '-' || quotation_id || '-' || revision || '-' || division_id || '-' || batch_no as key`.execute(
    database.db,
  )
  await database.close()
  return rows.map(({ key }) => key)
}
const isAmong = (ends: readonly string[], key: string): boolean => ends.some((end) => key.endsWith(end))

/** A POST when there is a body. */
const call = async <T>(address: string, authorization: string, body?: object): Promise<T> => {
  const headers = {
    ...(authorization === '' ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await request(address, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${address} answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text) as T
}

interface WireOrder {
  readonly division: { readonly id: number }
  readonly batch_no: number
  readonly status: string
  readonly remote_number: string | null
}

/** A main division that orders for itself and its branch; what it asks for, the seller approves. */
const makeCompany = async (origin: string) => {
  const login = async (username: string, password: string): Promise<string> => {
    const { key } = await call<{ key: string }>(`${origin}/api/v1/auth/login/`, '', { username, password })
    return `Token ${key}`
  }
  const seller = await login(serverEnvironment.ADMIN_EMAIL, serverEnvironment.ADMIN_PASSWORD)
  const make = async (path: string, body: object): Promise<number> =>
    (await call<{ id: number }>(`${origin}${path}`, seller, body)).id
  const main = await make('/api/v1/divisions/', { name: 'Main' })
  const branch = await make('/api/v1/divisions/', { name: 'Branch', parent: main })
  await make('/api/v1/products/', { remote_id: 'CHAIR', name: 'Chair', price: '10.00', currency: 'EUR' })
  const person = { email: 'buyer@waybill.test', password: 'battery staple' }
  await make('/api/v1/users/', { ...person, division: main })
  const buyer = await login(person.email, person.password)
  const ordersOf = (at: string, id: number): Promise<WireOrder[]> =>
    call(`${at}/api/v1/quotations/${id}/orders/`, seller)

  return {
    /** @returns the id of a quotation for both. */
    async ask(at: string): Promise<number> {
      for (const [division, quantity] of [
        [main, wanted.main],
        [branch, wanted.branch],
      ])
        await call(`${at}/api/v1/basket/`, buyer, { product_remote_id: 'CHAIR', division, quantity })
      return (await call<{ id: number }>(`${at}/api/v1/my-quotations/`, buyer, { name: 'Spring' })).id
    },
    approve: (at: string, id: number) => call(`${at}/api/v1/quotations/${id}/approve/`, seller, {}),
    ordersOf,
    allCreated: async (at: string, ids: readonly number[]): Promise<void> =>
      vi.waitFor(
        async () => {
          for (const id of ids)
            expect((await ordersOf(at, id)).map(({ status }) => status)).toEqual(Array(ordersOfEach).fill('created'))
        },
        { timeout: 20_000, interval: 50 },
      ),
  }
}

/** Keys that came with other bytes than the first time. */
const changedBodies = (received: readonly Received[]): string[] =>
  [...Map.groupBy(received, ({ headers }) => String(headers['idempotency-key']))]
    .filter(([, [first, ...others]]) => others.some(({ body }) => first?.body.equals(body) !== true))
    .map(([key]) => key)
