import { sql, type Selectable } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { oneOf, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { exportStatuses, type Export } from './export.ts'
import { toExport, type ExportsTable } from './store.ts'

/** Exports of one person. */
export const ownExportList = defineList({
  filters: {
    status: oneOf('status', OneOf(exportStatuses), 'One of these statuses; may be repeated.'),
    created_at: time('created_at', 'Asked for', { dates: 'days' }),
  },
  orderings: { id: 'id' },
  defaultOrdering: '-id',
})

/** An export, with what its quotation is called. */
export interface ListedExport extends Export {
  readonly quotationNumber: string | null
}

/** A page of what a person asked for and is still kept. */
export const listExports = async (db: Db, userId: number, now: Date, query: Page): Promise<Rows<ListedExport>> => {
  const number = sql<string | null>`(select number from quotations where quotations.id = quotation_id)`
  const own = db
    .selectFrom('exports')
    .selectAll()
    .select(number.as('quotationNumber'))
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
  return mapRows(await readList(db, ownExportList, query, own), toListed)
}

const toListed = ({
  quotationNumber,
  ...row
}: Selectable<ExportsTable> & Pick<ListedExport, 'quotationNumber'>): ListedExport => ({
  ...toExport(row),
  quotationNumber,
})
