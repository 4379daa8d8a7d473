import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { request } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { openPostgres } from '#platform/db/open-postgres.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { hookSecret, prepareServer, serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { until, untilNothingPending } from '#testing/chaos/until.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { makeReceiver } from '#testing/receiver.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-order-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { url, remove } = await createDatabase()
afterAll(remove)
const receiver = await makeReceiver()

/** Objects whose events are raised with one request. A step of switching order on takes a thousand deliveries. */
const objects = Array.from({ length: 600 }, (_, index) => index + 1)
const groups = [objects.slice(0, 200), objects.slice(200, 400), objects.slice(400)] as const
const eventsBefore = 5
/** Besides the kill in the middle of a step: at any moment from the start of a server on. */
const randomKills = isEverythingWanted ? 10 : 0

const { example } = catalogue['package.created']
const call = async <T>(
  authorization: string,
  path: string,
  method: 'GET' | 'POST' | 'PATCH' = 'GET',
  body?: object,
) => {
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await request(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text) as T
}

test(
  'order that is switched on for thousands of open deliveries comes although servers are killed meanwhile, and nothing is lost',
  { timeout: 180_000 },
  async () => {
    const environment = { ...serverEnvironment, DATABASE_URL: url, DATA_DIR: join(directory, 'data') }
    const start = () => startServer(environment, directory)
    const database = await openPostgres({ url, poolSize: 2 })
    afterAll(() => database.close())
    const { db } = database
    let server = await start()
    const hooks = { eventTypes: ['package.created'], receiverUrl: receiver.url, secret: hookSecret, locations: 0 }
    const { authorization } = await prepareServer({ origin: server.origin, ...hooks })
    const raise = (group: readonly number[], times = 1) => {
      const ids = Array.from({ length: times }, () => group).flat()
      const events = ids.map((id) => ({ id: randomUUID(), type: 'package.created', data: { ...example, id } }))
      return call(authorization, `${server.origin}/api/v1/events/`, 'POST', events)
    }
    const { id: hook } = await db.selectFrom('subscriptions').select('id').executeTakeFirstOrThrow()
    const health = () =>
      call<{ ordering_since: string | null }>(authorization, `${server.origin}/whisperer/hooks/${hook}/health/`)
    const verdictOf = async (delivery: number) =>
      (await call<{ verdict: string }>(authorization, `${server.origin}/whisperer/hook_events/${delivery}/explain/`))
        .verdict

    await sql`update subscriptions set hold_until = now() + interval '1 hour'`.execute(db)
    for (const group of groups) await raise(group, eventsBefore)
    const { rows } = await sql<{ id: number; partition: string }>`
      select id, tableoid::regclass::text as partition from deliveries order by id desc limit 1`.execute(db)
    const [last] = rows
    if (last === undefined) throw new Error('Nothing is open.')
    const since = await inTransaction(db, async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      // Locked in its partition, where nobody takes it for a change of deliveries, it stops the last step.
      await sql`select from ${sql.table(last.partition)} where id = ${last.id} for update`.execute(tx)
      const path = `${server.origin}/whisperer/hooks/${hook}/`
      const change = { target_url: `${receiver.url}/ordered`, config: { order: 'object' } }
      await call(authorization, path, 'PATCH', change)
      await until(async () => {
        const { rows: waiting } = await sql`
          select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return waiting.length > 0 ? true : undefined
      })
      const { ordering_since: before } = await health()
      expect([before, await verdictOf(last.id)]).toEqual([expect.any(String), 'ordering'])
      // The step that is stopped has locked the queues of the last group.
      await raise(groups[0])
      await server.kill()
      server = await start()
      await raise(groups[1])
      expect([(await health()).ordering_since, await verdictOf(last.id)]).toEqual([before, 'ordering'])
      expect(receiver.received).toEqual([])
      return before
    })
    expect(since).not.toBeNull()
    for (let kill = 0; kill < randomKills; kill++) {
      await sleep(Math.random() * 500)
      await server.kill()
      server = await start()
    }
    for (const group of groups) await raise(group)
    await untilNothingPending(server.origin, authorization)
    expect((await health()).ordering_since).toBeNull()
    expect([await server.stop(), server.errors]).toEqual([0, []])

    const sequences = Map.groupBy(
      receiver.received.map(({ body, headers }) => ({
        id: (JSON.parse(body.toString()) as { payload: { id: number } }).payload.id,
        sequence: Number(headers['x-waybill-sequence']),
      })),
      ({ id }) => id,
    )
    for (const [index, group] of groups.entries()) {
      const events = eventsBefore + (index < 2 ? 2 : 1)
      for (const id of group) {
        const arrived = sequences.get(id)?.map(({ sequence }) => sequence) ?? []
        // What was in flight at a kill comes again, before what is later.
        expect(arrived).toEqual(arrived.toSorted((one, other) => one - other))
        expect([...new Set(arrived)]).toEqual(Array.from({ length: events }, (_, number) => number + 1))
      }
    }
  },
)
