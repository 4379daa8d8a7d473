import type { Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'

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
    quotationComments: Omit<Comment, 'id'> & { id: Generated<number> }
  }
}

export const insertComment = (tx: Tx, comment: Omit<Comment, 'id'>): Promise<Comment> =>
  tx.insertInto('quotationComments').values(comment).returningAll().executeTakeFirstOrThrow()

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

/** One page of the comments on a quotation, the oldest first. */
export const listComments = async (db: Db, quotationId: number, reader: Reader, page: Page): Promise<Rows<Comment>> => {
  const count = await countComments(db, quotationId, reader)
  const query = visible(db, quotationId, reader).selectAll().orderBy('id')
  return { rows: await query.limit(page.limit).offset(offsetOf(page)).execute(), count }
}

const visible = (db: Db | Tx, quotationId: number, { seesInternal }: Reader) =>
  db
    .selectFrom('quotationComments')
    .where('quotationId', '=', quotationId)
    .$if(!seesInternal, (query) => query.where('isInternal', '=', false))
