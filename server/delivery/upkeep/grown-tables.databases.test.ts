import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { analyzeGrownTables } from './grown-tables.ts'

const { db } = await openTestDatabase()
const { subscribe } = makeDeliveries({ db, clock: systemClock })

test('a plan that was made for few hooks is made anew when there are many', async () => {
  const id = await subscribe()
  await sql`analyze subscription_events`.execute(db)
  await db.connection().execute(async (connection) => {
    const run = async (text: string) => JSON.stringify((await connection.executeQuery(CompiledQuery.raw(text))).rows)
    const plan = () => run(`explain execute one_pattern('x', 'y')`)
    await run(`set plan_cache_mode = force_generic_plan`)
    await run(
      `prepare one_pattern as select subscription_id from subscription_events where scope = $1 and pattern = $2`,
    )
    expect(await plan()).toContain('Seq Scan')
    await run(`insert into subscription_events
      select (jsonb_populate_record(one, jsonb_build_object('pattern', 'order.' || n))).*
      from subscription_events one, generate_series(1, 5000) n where subscription_id = ${id}`)
    expect(await plan()).toContain('Seq Scan')
    expect(await analyzeGrownTables(connection)).toEqual(['subscription_events'])
    expect(await plan()).toContain('Index')
    expect(await analyzeGrownTables(connection)).toEqual([])
    await run(`deallocate one_pattern`)
    await run(`reset plan_cache_mode`)
  })
})
