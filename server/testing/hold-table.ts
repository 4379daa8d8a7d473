import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'

/**
 * Holds a table as somebody does who reads from it in an open transaction. Not on the embedded database,
 * where nobody else could do anything meanwhile.
 * @returns what ends the transaction; the end of the test does as well.
 */
export const holdTable = async (db: Db, table: string): Promise<() => Promise<void>> => {
  const { promise: isEnding, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = inTransaction(db, async (tx) => {
    await sql`select from ${sql.table(table)} limit 1`.execute(tx)
    held()
    await isEnding
  })
  await isHeld
  const release = async (): Promise<void> => {
    end()
    await holding
  }
  onTestFinished(release)
  return release
}
