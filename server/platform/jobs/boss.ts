import { CompiledQuery } from 'kysely'
import type { Db as BossDatabase, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'

/** The schema that pg-boss keeps its tables in. */
export const bossSchema = 'jobs'

/**
 * pg-boss on our own pool, so it opens no connections of its own and works on both engines.
 *
 * Some of what it sends are scripts (`begin; …; commit;`). One that fails half-way leaves its connection inside an
 * aborted transaction, and whoever got that connection next would fail too, so it is rolled back here. Rows of a
 * script do not come back; pg-boss uses them for warnings alone.
 */
export const bossDatabase = (db: Db): BossDatabase => ({
  executeSql: (text, values = []) =>
    db
      .withoutPlugins()
      .connection()
      .execute(async (connection) => {
        try {
          const { rows } = await connection.executeQuery(CompiledQuery.raw(text, [...values]))
          return { rows: [...rows] }
        } catch (error) {
          await connection.executeQuery(CompiledQuery.raw('rollback'))
          throw error
        }
      }),
})

/** While the database is away every worker of every queue has an error at every look: one line in this time will do. */
const quietMs = 5_000

/** Puts what pg-boss has to say into the log. Without a listener its errors would end the process. */
export const logBoss = (boss: PgBoss, log: Logger): void => {
  let quietUntil = 0
  boss.on('error', (error) => {
    const now = performance.now()
    log[now < quietUntil ? 'debug' : 'error']({ err: error }, 'jobs.error')
    if (now >= quietUntil) quietUntil = now + quietMs
  })
  boss.on('warning', ({ message, data }) => log.warn({ data, reason: message }, 'jobs.warning'))
}
