import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** Somebody of the back office who looks at a quotation. */
export interface Viewer {
  readonly quotationId: number
  readonly userId: number
  readonly since: Date
  /** When they last said so. */
  readonly seenAt: Date
}

declare module '#platform/db/database.ts' {
  interface Tables {
    quotationViewers: Viewer
  }
}

/** Who does not say it again has gone: screens do every 20 seconds. */
const countsMs = 45_000
const goneBefore = (now: Date): Date => new Date(now.getTime() - countsMs)

/** Remembers that somebody looks: since now, if they had gone. */
export const noteViewer = async (
  tx: Tx,
  { quotationId, userId }: Pick<Viewer, 'quotationId' | 'userId'>,
  now: Date,
): Promise<void> => {
  await tx
    .insertInto('quotationViewers')
    .values({ quotationId, userId, since: now, seenAt: now })
    .onConflict((conflict) =>
      conflict.columns(['quotationId', 'userId']).doUpdateSet({
        since: sql<Date>`case when quotation_viewers.seen_at < ${goneBefore(now)} then excluded.since
          else quotation_viewers.since end`,
        seenAt: now,
      }),
    )
    .execute()
}

/** Who looks at a quotation, whoever began first. */
export const viewersOf = (db: Db | Tx, quotationId: number, now: Date): Promise<Pick<Viewer, 'userId' | 'since'>[]> =>
  db
    .selectFrom('quotationViewers')
    .select(['userId', 'since'])
    .where('quotationId', '=', quotationId)
    .where('seenAt', '>=', goneBefore(now))
    .orderBy('since')
    .orderBy('userId')
    .execute()

export const removeViewer = async (tx: Tx, quotationId: number, userId: number): Promise<void> => {
  await tx.deleteFrom('quotationViewers').where('quotationId', '=', quotationId).where('userId', '=', userId).execute()
}

/** Removes those who have gone without saying so. */
export const removeGone = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('quotationViewers').where('seenAt', '<', goneBefore(now)).execute()
}
