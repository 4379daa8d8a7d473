import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { matches } from './delivery-filter.ts'

const { db } = await openTestDatabase()
const { subscribe, queue } = makeDeliveries({ db, clock: systemClock })

/** One subscription with 4,000 delivered and 20 of each status, beside one with 4,000 of each. @returns its id. */
const makeNeighbours = async (statuses: readonly DeliveryStatus[]): Promise<number> => {
  const few = await subscribe()
  const [model] = await queue(few, 1)
  const many = await subscribe()
  const copy = (subscriptionId: number, status: DeliveryStatus, first: number, count: number) => {
    const changes = sql`jsonb_build_object('status', ${status}::text, 'subscription_id', ${subscriptionId}::bigint, 'id', id + ${first}::bigint + n)`
    return sql`insert into deliveries select (jsonb_populate_record(model, ${changes})).*
      from deliveries model, generate_series(1, ${count}::integer) n where id = ${model}`.execute(db)
  }
  for (const [place, status] of statuses.entries()) {
    await copy(many, status, place * 100_000, 4_000)
    await copy(few, status, place * 100_000 + 50_000, 20)
  }
  await copy(few, 'delivered', statuses.length * 100_000, 4_000)
  await sql`vacuum (analyze) deliveries`.execute(db)
  return few
}

/** Rows that a statement reads from tables and indexes, also those that it leaves out. */
const rowsRead = async (query: CompiledQuery): Promise<number> => {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (analyze, format json) ${query.sql}`, [...query.parameters]),
  )
  const [{ Plan: plan } = { Plan: undefined }] = rows[0]?.['QUERY PLAN'] ?? []
  return plan === undefined ? Number.NaN : readBy(plan)
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const readBy = (node: PlanNode): number => {
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const below = (node.Plans ?? []).reduce((sum, child) => sum + readBy(child), 0)
  return below + (node['Node Type'].endsWith('Scan') ? own * node['Actual Loops'] : 0)
}

test('to count one subscription’s deliveries of a status reads none of another’s', async () => {
  const statuses = ['held', 'failed', 'pending'] as const
  const subscriptionId = await makeNeighbours(statuses)
  const counts = []
  for (const status of statuses) {
    const filter = { subscriptionIds: [subscriptionId], statuses: [status] }
    const matching = db.selectFrom('deliveries').select('id').where(matches(filter)).limit(10_000).compile()
    counts.push([status, (await db.executeQuery(matching)).rows.length, (await rowsRead(matching)) < 500])
  }
  expect(counts).toEqual([
    ['held', 20, true],
    ['failed', 20, true],
    ['pending', 21, true],
  ])
})
