import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    loginFailures: { id: Generated<number>; bucket: string; failedAt: Date }
  }
}

/** Holds the buckets until the transaction ends. Always in the same order, so two logins cannot wait for each other. */
export const lockBuckets = async (tx: Tx, buckets: readonly string[]): Promise<void> => {
  for (const bucket of buckets.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 4))`.execute(tx)
  }
}

/** When the bucket's failures after `since` happened, the earliest first. */
export const failuresOf = async (tx: Tx, bucket: string, since: Date): Promise<Date[]> => {
  const query = tx
    .selectFrom('loginFailures')
    .select('failedAt')
    .where('bucket', '=', bucket)
    .where('failedAt', '>', since)
  return (await query.orderBy('failedAt').execute()).map(({ failedAt }) => failedAt)
}

/** @returns the ids of the new rows, in the order of the buckets. */
export const insertFailures = async (tx: Tx, buckets: readonly string[], failedAt: Date): Promise<number[]> => {
  const rows = await tx
    .insertInto('loginFailures')
    .values(buckets.map((bucket) => ({ bucket, failedAt })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Forgets every failure of one bucket, and these rows of others. */
export const deleteFailures = async (db: Db, bucket: string, ids: readonly number[]): Promise<void> => {
  await db
    .deleteFrom('loginFailures')
    .where(({ or, eb }) => or([eb('bucket', '=', bucket), eb('id', 'in', ids)]))
    .execute()
}

export const deleteBuckets = async (db: Db, buckets: readonly string[]): Promise<void> => {
  await db.deleteFrom('loginFailures').where('bucket', 'in', buckets).execute()
}

export const forgetFailures = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('loginFailures').where('failedAt', '<=', before).execute()
}
