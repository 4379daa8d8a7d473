import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import { commentsCount, type Reader } from '../history/comment-store.ts'
import { divisionColumn, type ListedQuotation } from '../lists/list-store.ts'
import { columns, toQuotation } from '../store.ts'
import { termsColumns, toTerms, type StoredTerms } from '../terms/terms-store.ts'
import type { Terms } from '../terms/terms.ts'

/** A quotation with what is shown of it, all of one moment. */
export interface ShownQuotation extends ListedQuotation {
  readonly terms: Terms
  readonly commentsCount: number
}

type Row = Parameters<typeof toQuotation>[0] & StoredTerms & Omit<ShownQuotation, 'terms'>

const selectFor = (reader: Reader) =>
  fixed(sql`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, ${divisionColumn} as division,
      ${commentsCount(reader)} as comments_count, ${termsColumns(sql`quotations.id`)}
    from quotations`)
const selectForSeller = selectFor({ seesInternal: true })
const selectForBuyer = selectFor({ seesInternal: false })

/** A quotation with everything that changes with its version, in one statement. */
export const findShown = async (
  db: Db | Tx,
  id: number,
  { seesInternal }: Reader,
): Promise<ShownQuotation | undefined> => {
  const selection = seesInternal ? selectForSeller : selectForBuyer
  const [row] = await preparedSelect(db, sql<Row>`${selection} where id = ${id}`)
  if (row === undefined) return undefined
  const quotation = toQuotation(row)
  return { ...quotation, division: row.division, commentsCount: row.commentsCount, terms: toTerms(quotation, row) }
}
