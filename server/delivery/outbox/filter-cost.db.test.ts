import { CompiledQuery, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeChecker } from '#testing/make-checker.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { checkMissing } from '../upkeep/missing-deliveries.ts'
import { append } from './append.ts'

const { db } = await openTestDatabase()
const { outbox, subscribe, subscriptions, clear } = makeDeliveries({ db, clock: systemClock })
const { check, reset } = makeChecker(db)
const values = Array.from({ length: 50 }, (_, index) => `v${index}`)
const patterns = ['*', 'package.*', 'package.created'] as const
const event = (id: number) => ({ ...packageCreated(id), data: { id, tags: values, a: 1, b: 1, c: 1 } }) as never
beforeEach(async () => {
  await clear()
  await reset()
})

test('a condition looks once at its place in an event, however many values it asks for', async () => {
  await subscribe({ filter: { 'items.sku': values, status: [1, 'a'] } })
  const [row] = await db.selectFrom('subscriptions').select('filterPath').execute()
  expect(row?.filterPath?.split('$."data"')).toHaveLength(3)
})

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

/** How often parts of a plan turn the body of an event into `jsonb`. */
const countParsed = ({ Plans = [], ...node }: PlanNode): number => {
  const here = JSON.stringify(node).includes('body)::jsonb') ? node['Actual Rows'] * node['Actual Loops'] : 0
  return Plans.reduce((sum, plan) => sum + countParsed(plan), here)
}

/** A database that explains statements while it runs them, and nothing else; with how many bodies each of them parsed. */
const explaining = () => {
  const parsed: number[] = []
  const executeQuery = async ({ sql: text, parameters }: CompiledQuery) => {
    const explained = CompiledQuery.raw(`explain (analyze, verbose, format json) ${text}`, [...parameters])
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained)
    for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) parsed.push(countParsed(Plan))
    return { rows: [] }
  }
  const executor = db.getExecutor()
  const getExecutor = () => ({
    transformQuery: executor.transformQuery.bind(executor),
    compileQuery: executor.compileQuery.bind(executor),
    executeQuery,
  })
  return { parsed, db: { executeQuery, getExecutor } as unknown as Tx }
}

test('the body of an event is parsed once, however many places filters look at', async () => {
  for (const filter of [{ a: 1 }, { b: 1 }, { c: 1 }, { a: { gt: 0 } }]) await subscribe({ filter })
  const raising = explaining()
  await append(raising.db, new Date(), [event(1), event(2)], [])
  expect(raising.parsed).toEqual([2])
  expect(await db.selectFrom('deliveries').select('id').execute()).toHaveLength(8)

  await sql`update subscriptions set listening_since = '2020-01-01'`.execute(db)
  await db.deleteFrom('deliveries').execute()
  const everything = { after: 0, upTo: Number.MAX_SAFE_INTEGER }
  const checking = explaining()
  await checkMissing(checking.db, everything, { settleMs: 0, now: new Date(), repair: false })
  expect(checking.parsed).toEqual([2])
})

test('a subscription is found by its values, however many of its patterns match, and is read back with all of them', async () => {
  const id = await inTransaction(db, (tx) =>
    subscriptions.create(tx, { ...settings, eventTypes: patterns, filter: { tags: values } }),
  )
  expect(await db.selectFrom('subscriptionEvents').select('pattern').execute()).toEqual(
    values.map(() => ({ pattern: '*' })),
  )
  expect((await subscriptions.find(db, id))?.eventTypes).toEqual(patterns)
})

test('a filter is judged once for each event, however many patterns and values of its subscription match', async () => {
  const id = await inTransaction(db, (tx) =>
    subscriptions.create(tx, { ...settings, eventTypes: patterns, filter: { tags: values } }),
  )
  await sql`create sequence judged`.execute(db)
  await sql`create or replace function fulfils(body jsonb, filter jsonb, filter_path jsonpath) returns boolean language sql volatile
    as $$ select nextval('judged') > 0 and jsonb_path_match(body, filter_path, filter) $$`.execute(db)
  const countJudged = async () =>
    (await sql<{ last: number }>`select nextval('judged') - 1 as last`.execute(db)).rows[0]?.last
  await inTransaction(db, (tx) => outbox.append(tx, [event(1), event(2)]))
  expect(await countJudged()).toBe(2)
  await db.deleteFrom('deliveries').where('subscriptionId', '=', id).execute()
  expect(await check()).toMatchObject([{ check: 'delivery_missing', found: 2 }])
  // Looked for again when they are repaired.
  expect(await countJudged()).toBe(2 + 1 + 2 * 2)
})
