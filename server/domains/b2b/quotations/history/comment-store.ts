import { sql } from 'kysely'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

/** What somebody said about a quotation. */
export interface Comment {
  readonly id: number
  readonly quotationId: number
  readonly userId: number
  /** Only the back office sees it. */
  readonly isInternal: boolean
  readonly text: string
  readonly createdAt: Date
}

declare module '#platform/db/database.ts' {
  interface Tables {
    quotationComments: WithGeneratedId<Comment>
  }
}

export const insertComment = (tx: Tx, comment: Omit<Comment, 'id'>): Promise<Comment> =>
  tx.insertInto('quotationComments').values(comment).returningAll().executeTakeFirstOrThrow()

/** Makes those who comment as one user wait for each other, until the transaction ends: counted, a comment stays the last. */
export const lockCommenter = async (tx: Tx, userId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('waybill:comments', ${userId}::bigint))`.execute(tx)
}

/** Comments of everybody among which those of a user are looked for. */
const maxRecent = 10_000

/** When a user wrote public comments since a time, the latest first. Read from the end by id, so users need no index. */
export const recentComments = async (tx: Tx, userId: number, since: Date, most: number): Promise<Date[]> => {
  const latest = tx
    .selectFrom('quotationComments')
    .select(['id', 'userId', 'isInternal', 'createdAt'])
    .orderBy('id', 'desc')
    .limit(maxRecent)
  const rows = await tx
    .selectFrom(latest.as('latest'))
    .select('createdAt')
    .where('userId', '=', userId)
    .where('isInternal', '=', false)
    .where('createdAt', '>', since)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** Who reads: the back office reads internal comments too. */
interface Reader {
  readonly seesInternal: boolean
}

export const countComments = async (db: Db | Tx, quotationId: number, reader: Reader): Promise<number> => {
  const { count } = await visible(db, quotationId, reader)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const commentList = defineList({})

/** One page of the comments on a quotation, the oldest first. */
export const listComments = (db: Db, quotationId: number, reader: Reader, page: Page): Promise<Rows<Comment>> =>
  readList(db, commentList, page, visible(db, quotationId, reader).selectAll())

const visible = (db: Db | Tx, quotationId: number, { seesInternal }: Reader) =>
  db
    .selectFrom('quotationComments')
    .where('quotationId', '=', quotationId)
    .$if(!seesInternal, (query) => query.where('isInternal', '=', false))
