import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { changeOpenCounts } from '../groups/index.ts'
import type { OpenReports, ReportsOf } from '../open-reports.ts'
import { lockReports } from './bucket-store.ts'
import { insertChange, isUndone } from './changes-store.ts'
import { resolveRows } from './store.ts'

const openOnes = (db: Db | Tx, of: ReportsOf) => {
  const open = db.selectFrom('errorReports').where('isOk', '=', false)
  if ('groupId' in of) return open.where('groupId', '=', of.groupId)
  const { channelId, placeType, remoteCode } = of
  return open.where('channelId', '=', channelId).where('placeType', '=', placeType).where('remoteCode', '=', remoteCode)
}

export const markRetried: OpenReports['markRetried'] = async (tx, ids, { by, at }) => {
  if (ids.length === 0) return
  await tx
    .updateTable('errorReports')
    .set({ retryCount: sql`retry_count + 1`, lastRetryAt: at, lastRetryBy: by, updatedAt: at })
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
}

/** What groups and places may do with open reports. */
export const openReports: OpenReports = {
  count: (db, of) =>
    openOnes(db, of)
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.coalesce(fn.max<number>('id'), sql<number>`0`).as('newestId'),
      ])
      .executeTakeFirstOrThrow(),

  list: (db, of, { afterId, upToId, limit, notRetriedSince }) =>
    openOnes(db, of)
      .$if(notRetriedSince !== undefined, (some) =>
        some.where((is) => is.or([is('lastRetryAt', 'is', null), is('lastRetryAt', '<', notRetriedSince ?? null)])),
      )
      .select(['id', 'channelId', 'actionContentType', 'actionObjectId', 'source'])
      .where('id', '>', afterId)
      .where('id', '<=', upToId)
      .orderBy('id')
      .limit(limit)
      .execute(),

  sample: (db, of, limit) =>
    openOnes(db, of)
      .select(['id', 'groupId', 'errorCode', sql<string>`left(error_desc, 255)`.as('errorDesc'), 'createdAt'])
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),

  lock: lockReports,
  isUndone,
  async beginResolving(tx, changedBy, now) {
    await lockReports(tx)
    return insertChange(tx, { kind: 'resolve', changedBy, now })
  },
  markRetried,

  async resolve(tx, of, resolution, { upToId, limit }) {
    await lockReports(tx)
    const held = await openOnes(tx, of)
      .select(['id', 'groupId'])
      .where('id', '<=', upToId)
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .execute()
    const groups = await resolveRows(tx, held, resolution)
    await changeOpenCounts(tx, groups, resolution.at)
    return held.length
  },
}
