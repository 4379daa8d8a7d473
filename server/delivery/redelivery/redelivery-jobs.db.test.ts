import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { longAgo, makeRedeliveriesWorld } from '#testing/data/make-redeliveries-world.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeRedeliveries } from './redeliveries.ts'
import { findRedelivery, listRedeliveries } from './redelivery-store.ts'

const { db } = await openTestDatabase()
const world = makeRedeliveriesWorld(db)
const {
  redeliveries,
  clock,
  now,
  process,
  job,
  subscribe,
  queue,
  find,
  recover,
  retry,
  runToEnd,
  endAs,
  switchOff,
  switchOn,
  raiseMany,
  stored,
  setAll,
  woken,
} = world
beforeEach(world.clear)

describe('a job', () => {
  /** The same database, whose connection breaks after so many statements. */
  const breaking = (after: number): { db: Db; broke: () => boolean } => {
    let left = after
    let broke = false
    const plugin = {
      transformQuery: ({ node }: { node: never }) => node,
      transformResult: async ({ result }: { result: never }) => {
        if (left-- > 0) return result
        broke = true
        throw new Error('killed')
      },
    }
    return { db: db.withPlugin(plugin as never), broke: () => broke }
  }

  test.each(['recover', 'retry'] as const)(
    'of kind %s is killed after any statement, and the next goes on',
    async (kind) => {
      const subscription = await subscribe()
      await switchOff(subscription, null)
      await raiseMany(3)
      await switchOn(subscription)
      await raiseMany(20)
      await setAll(subscription, 'failed')
      const id =
        kind === 'recover'
          ? await recover(subscription, { perSecond: 2 })
          : await retry([subscription], { perSecond: 2 })
      const { total } = await job(id)
      expect(total).toBe(kind === 'recover' ? 23 : 20)
      let kills = 0
      for (let after = 0; (await job(id)).status === 'running' && after < 400; after++) {
        const broken = breaking(after % 12)
        await process(broken.db)
          .runDue()
          .catch(() => undefined)
        if (broken.broke()) kills += 1
        clock.advance(6_000)
      }
      expect(kills).toBeGreaterThan(8)
      expect(await job(id)).toMatchObject({ status: 'done', queued: total, total })
      // Once for each step that was committed.
      expect(woken()).toHaveLength(Math.ceil(total / 2))
      const rows = await stored(subscription)
      expect(rows).toHaveLength(kind === 'recover' ? 23 : 20)
      expect(rows.every(({ status, lane }) => status === 'pending' && lane === 1)).toBe(true)
      expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(rows.length)
    },
  )

  test('of 10,000 deliveries, done by four processes at once, queues each once', async () => {
    const subscription = await subscribe()
    await switchOff(subscription, null)
    await raiseMany(2_000)
    await switchOn(subscription)
    await raiseMany(9_000)
    const rows = await stored(subscription)
    await setAll(subscription, 'failed')
    const delivered = rows.slice(0, 1_000).map(({ id }) => id)
    await db.updateTable('deliveries').set({ status: 'delivered' }).where('id', 'in', delivered).execute()
    const jobs = [await recover(subscription, { perSecond: 3_000 }), await retry([subscription], { perSecond: 1_700 })]
    expect(await job(jobs[0])).toMatchObject({ total: 10_000 })
    expect(await job(jobs[1])).toMatchObject({ total: 8_000 })
    const processes = Array.from({ length: 4 }, () => process())
    for (let second = 0; second < 20; second++) {
      await Promise.all(processes.map((one) => one.runDue()))
      clock.advance(1_000)
    }
    const after = await stored(subscription)
    expect(after).toHaveLength(11_000)
    expect(new Set(after.map(({ eventId }) => eventId)).size).toBe(11_000)
    expect(after.filter(({ status }) => status === 'pending')).toHaveLength(10_000)
    expect(after.filter(({ id }) => delivered.includes(id)).every(({ attemptsBefore }) => attemptsBefore === 0)).toBe(
      true,
    )
    const [one, two] = [await job(jobs[0]), await job(jobs[1])]
    expect([one.status, two.status]).toEqual(['done', 'done'])
    expect(one.queued + two.queued).toBe(10_000)
  })

  test('that cannot be done does not hold up the others', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'held')
    const broken = await retry([subscription])
    await sql`update redeliveries set filter = '{"deliveries": {"subscriptionIds": ["no number"]}}'`.execute(db)
    clock.advance(1)
    await recover(subscription)
    await redeliveries.runDue()
    expect(await find(id)).toMatchObject({ status: 'pending' })
    expect(await job(broken)).toMatchObject({ status: 'running', queued: 0 })
  })

  test('keeps what it queued when nobody can be told', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'held')
    const started = await recover(subscription)
    const wake = (): never => {
      throw new Error('nobody there')
    }
    await makeRedeliveries({ db, clock, log: pino({ level: 'silent' }), wake, settleMs: 0 }).runDue()
    expect(await find(id)).toMatchObject({ status: 'pending' })
    expect(await job(started)).toMatchObject({ status: 'done', queued: 1 })
  })

  test('is made its steps again although a clock that jumped had put them off', async () => {
    const subscription = await subscribe()
    const [id = 0] = await queue(subscription, 1)
    await endAs(id, 'held')
    const started = await recover(subscription)
    await db
      .updateTable('redeliveries')
      .set({ nextStepAt: new Date(now().getTime() + 86_400_000) })
      .execute()
    await runToEnd(started)
    expect(await find(id)).toMatchObject({ status: 'pending' })
  })

  test('that is started in a running process runs there, at its pace', async () => {
    const own = makeRedeliveries({
      db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      wake: () => undefined,
      settleMs: 0,
    })
    await own.runner.start()
    const subscription = await subscribe()
    for (const id of await queue(subscription, 3)) await endAs(id, 'held')
    const startedAt = performance.now()
    const id = await inTransaction(db, (tx) =>
      own.startRecovery(
        tx,
        { subscriptionId: subscription, since: longAgo, requestedBy: null, perSecond: 2 },
        new Date(),
      ),
    )
    await expect.poll(async () => (await job(id)).status, { timeout: 10_000, interval: 20 }).toBe('done')
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    await own.runner.stop()
  })

  test('is seen by who asked for it and by whose subscription it is about', async () => {
    const subscription = await subscribe()
    await queue(subscription, 1)
    await setAll(subscription, 'held')
    const mine = await retry([subscription], { requestedBy: 7 })
    const engines = await recover(subscription, { asked: { since: 'then' } })
    const ids = async (visible: Parameters<typeof listRedeliveries>[1]): Promise<number[]> =>
      (await listRedeliveries(db, visible, { page: 1, limit: 10 })).rows.map(({ id }) => id)
    expect(await ids('all')).toEqual([engines, mine])
    expect(await ids({ requestedBy: 7, subscriptionIds: [] })).toEqual([mine])
    expect(await ids({ requestedBy: 8, subscriptionIds: [subscription] })).toEqual([engines])
    expect(await ids({ requestedBy: 8, subscriptionIds: [] })).toEqual([])
    expect(await findRedelivery(db, mine ?? 0, { requestedBy: 8, subscriptionIds: [] })).toBeUndefined()
    expect((await job(engines)).filter).toMatchObject({ asked: { since: 'then' }, isExact: true })
  })
})
