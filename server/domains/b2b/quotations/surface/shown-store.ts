import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import { commentsCount, type Reader } from '../history/comment-store.ts'
import type { Seen } from '../history/seen-store.ts'
import { divisionColumn, type ListedQuotation } from '../lists/list-store.ts'
import { columns, toQuotation } from '../store.ts'
import { termsColumns, toTerms, type StoredTerms } from '../terms/terms-store.ts'
import type { Terms } from '../terms/terms.ts'

/** A quotation with what is shown of it, all of one moment. */
export interface ShownQuotation extends ListedQuotation {
  readonly terms: Terms
  readonly commentsCount: number
  readonly seen: Pick<Seen, 'seenRevision' | 'seenAt'> | null
}

type Row = Parameters<typeof toQuotation>[0] &
  StoredTerms &
  Pick<ShownQuotation, 'division' | 'commentsCount'> &
  Pick<{ [Name in keyof Seen]: Seen[Name] | null }, 'seenRevision' | 'seenAt'>

const selectFor = (reader: Reader) =>
  fixed(sql`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, ${divisionColumn} as division,
      ${commentsCount(reader)} as comments_count, seen_revision, seen_at,
      ${termsColumns(sql`quotations.id`)}
    from quotations left join quotation_seen on quotation_id = quotations.id`)
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
  const { division, commentsCount: comments, seenRevision, seenAt } = row
  const seen = seenRevision === null || seenAt === null ? null : { seenRevision, seenAt }
  return { ...quotation, division, commentsCount: comments, seen, terms: toTerms(quotation, row) }
}
