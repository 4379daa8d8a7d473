import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claimStatement } from './claim.ts'
import { finishStatement } from './finish.ts'
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

interface Statement {
  readonly text: string
  /** One in SQL for each of the statement's. */
  readonly parameters: readonly string[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What PostgreSQL does for a statement whatever its parameters are: so it runs after the first few times. */
const genericPlans = (statements: Readonly<Record<string, Statement>>) =>
  db.connection().execute(async (connection) => {
    const run = (text: string) =>
      connection.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(CompiledQuery.raw(text))
    const explain = async ([name, { parameters }]: [string, Statement]) => {
      const { rows } = await run(`explain (format json) execute under_test_${name}(${parameters.join(', ')})`)
      const [plan] = rows[0]?.['QUERY PLAN'] ?? []
      return [name, plan === undefined ? [] : nodesOf(plan.Plan)] as const
    }
    await run(`set plan_cache_mode = force_generic_plan`)
    const plans = []
    for (const [name, statement] of Object.entries(statements)) {
      await run(`prepare under_test_${name} as ${statement.text}`)
      plans.push(await explain([name, statement]))
      await run(`deallocate under_test_${name}`)
    }
    await run(`reset plan_cache_mode`)
    return plans
  })

const statements = {
  claim: { text: claimStatement, parameters: ['now()', 'now()', '1', `'{1}'`, `'{0}'`, `'{8}'`] },
  release: { text: releaseStatement, parameters: [`'{1}'`, `'{1}'`] },
  finish: { text: finishStatement, parameters: finishStatement.match(/\$\d+::[a-z]+\[\]/g)?.map(() => `'{}'`) ?? [] },
}

/**
 * Parts of the plans that read whole weeks of deliveries, of which the planner believes that they have `least` or more: it may read
 * as it likes what it knows to be empty.
 */
const wholeReads = async (least: number): Promise<unknown[]> => {
  const plans = await genericPlans(statements)
  expect(plans.map(([name, nodes]) => [name, nodes.length > 5])).toEqual(plans.map(([name]) => [name, true]))
  return plans.flatMap(([name, nodes]) =>
    nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && node['Plan Rows'] >= least)
      .filter((node) => node['Relation Name']?.startsWith('deliveries') === true)
      .map((node) => [name, node]),
  )
}

test('a statement of the queue that is planned in a new week, which nobody has analyzed, reads it by its index', async () => {
  expect(await wholeReads(0)).toEqual([])
})

test('no statement of the queue reads all that is due, whatever the planner thinks of it', async () => {
  await makeBacklog()
  expect(await wholeReads(due / 2)).toEqual([])
})

/** Indexes of deliveries, of their partitions too, by the name that they have together. */
const indexesOf = async (): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ part: string; whole: string }>`
    select part.relname as part, whole.relname as whole from pg_inherits
    join pg_class part on part.oid = inhrelid join pg_class whole on whole.oid = inhparent
    where whole.relkind = 'I'`.execute(db)
  return new Map(rows.map(({ part, whole }) => [part, whole]))
}

test('a claim that is planned by what was left when a backlog had gone finds what is due by its index', async () => {
  await sql`update deliveries set next_attempt_at = next_attempt_at - id % 10000 * interval '1 s'`.execute(db)
  await sql`update deliveries set status = 'delivered' where id not in (select id from deliveries limit 2)`.execute(db)
  // The queue's index keeps its pages, and looks dear; the log's is small, and looks as good for whatever is pending.
  await sql`reindex index deliveries_not_delivered`.execute(db)
  await sql`vacuum (analyze) deliveries`.execute(db)
  const [names, [plan]] = [await indexesOf(), await genericPlans({ claim: statements.claim })]
  const indexes = (plan?.[1] ?? []).flatMap(({ 'Index Name': name = '' }) => names.get(name) ?? [])
  const ofDeliveries = new Set(indexes.filter((name) => name.startsWith('deliveries')))
  expect([...ofDeliveries].toSorted()).toEqual(['deliveries_due', 'deliveries_pkey'])
})
