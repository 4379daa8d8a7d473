import { CompiledQuery } from 'kysely'
import type { Db as BossDatabase } from 'pg-boss'
import type { Db } from '#platform/db/database.ts'

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
