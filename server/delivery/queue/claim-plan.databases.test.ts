import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claimStatement } from './claim.ts'
import { releaseStatement } from './queue.ts'

const { db } = await openTestDatabase()
const { subscribe, queue } = makeDeliveries({ db, clock: systemClock })
const due = 20_000

/** One subscription with much due in one week, and statistics that know of nothing else. */
const makeBacklog = async (): Promise<void> => {
  const id = await subscribe()
  await queue(id, 1)
  const copy = async (table: string, change: string): Promise<void> => {
    const columns = sql.raw(
      `select (jsonb_populate_record(one, ${change})).* from ${table} one, generate_series(1, ${due}) n`,
    )
    await sql`insert into ${sql.table(table)} ${columns}`.execute(db)
  }
  await copy('events', `jsonb_build_object('id', id + n)`)
  await copy('deliveries', `jsonb_build_object('id', id + n, 'event_id', event_id + n)`)
  for (const table of ['events', 'deliveries', 'subscriptions']) await sql`analyze ${sql.table(table)}`.execute(db)
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What PostgreSQL does for a statement whatever its parameters are: so it runs after the first few times. */
const genericPlanOf = (statement: string, parameters: readonly string[]): Promise<PlanNode[]> =>
  db.connection().execute(async (connection) => {
    const run = (text: string) =>
      connection.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(CompiledQuery.raw(text))
    await run(`set plan_cache_mode = force_generic_plan`)
    await run(`prepare under_test as ${statement}`)
    const { rows } = await run(`explain (format json) execute under_test(${parameters.join(', ')})`)
    await run(`deallocate under_test`)
    await run(`reset plan_cache_mode`)
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    return plan === undefined ? [] : nodesOf(plan.Plan)
  })

test('no statement of the queue reads all that is due, whatever the planner thinks of it', async () => {
  await makeBacklog()
  const plans = {
    claim: await genericPlanOf(claimStatement, ['now()', 'now()', '1', `'{1}'`, `'{0}'`, `'{8}'`]),
    release: await genericPlanOf(releaseStatement, [`'{1}'`, `'{1}'`]),
  }
  for (const [name, nodes] of Object.entries(plans)) {
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Plan Rows'] > due / 2)
    expect([name, nodes.length > 5, whole]).toEqual([name, true, []])
  }
})
