import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
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

/** Who reads: the back office reads internal comments too. */
export interface Reader {
  readonly seesInternal: boolean
}

/** How many comments the reader sees of a row of `quotations`, as a column of a statement. */
export const commentsCount = ({ seesInternal }: Reader): RawBuilder<number> => sql`(
  select count(*) from quotation_comments
  where quotation_id = quotations.id ${seesInternal ? sql`` : sql`and not is_internal`})`

export const commentList = defineList({ filters: { created_at: time('createdAt', 'Made') } })

/** One page of the comments on a quotation, the oldest first. */
export const listComments = (db: Db, quotationId: number, reader: Reader, page: Page): Promise<Rows<Comment>> =>
  readList(db, commentList, page, visible(db, quotationId, reader).selectAll())

const visible = (db: Db | Tx, quotationId: number, { seesInternal }: Reader) =>
  db
    .selectFrom('quotationComments')
    .where('quotationId', '=', quotationId)
    .$if(!seesInternal, (query) => query.where('isInternal', '=', false))
