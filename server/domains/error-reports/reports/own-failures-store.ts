import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { FailureSource, OwnObject } from '#failures/own-failure.ts'
import type { Report } from './report.ts'
import { reportColumns } from './store.ts'

/** An open report of a failure of our own. */
export interface OwnReport extends Report {
  readonly lastRetryBy: number | null
}

const openOnes = (tx: Db | Tx, objects: readonly OwnObject[]) => {
  const given = sql`unnest(
    ${objects.map(({ source }) => source)}::text[], ${objects.map(({ actionObjectId }) => actionObjectId)}::bigint[]
  ) as object(source, action_object_id)`
  return tx
    .selectFrom('errorReports')
    .where('isOk', '=', false)
    .where(sql<boolean>`(source, action_object_id) in (select source, action_object_id from ${given})`)
}

/** Whether any of these has an open report. Nothing is held: for most of what works again there never was one. */
export const haveOpenReports = async (tx: Tx, objects: readonly OwnObject[]): Promise<boolean> =>
  (await openOnes(tx, objects).select('id').limit(1).executeTakeFirst()) !== undefined

/** Holds the open reports of these, in the order of their ids. The caller holds the lock of all changes. */
export const holdOpenReports = (tx: Tx, objects: readonly OwnObject[]): Promise<OwnReport[]> =>
  openOnes(tx, objects)
    .select([...reportColumns, 'lastRetryBy'])
    .orderBy('id')
    .forUpdate()
    .execute()

/** Ids of the open reports of these objects, by the id of the object. */
export const openReportIds = async (
  db: Db | Tx,
  source: FailureSource,
  actionObjectIds: readonly number[],
): Promise<Map<number, number>> => {
  const objects = actionObjectIds.map((actionObjectId) => ({ source, actionObjectId }))
  const rows = objects.length === 0 ? [] : await openOnes(db, objects).select(['id', 'actionObjectId']).execute()
  return new Map(rows.map(({ id, actionObjectId }) => [actionObjectId, id]))
}
