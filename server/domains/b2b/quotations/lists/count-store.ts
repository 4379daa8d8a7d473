import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { CountedValue } from '#platform/lists/kept-counts.ts'
import type { QuotationStatus } from '#events/quotations.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    /** Triggers keep them (0047). */
    quotationCounts: { status: QuotationStatus; divisionId: number; userId: number; count: number }
  }
}

export interface CountFilter {
  readonly status?: readonly QuotationStatus[]
  readonly user?: number
  readonly division?: number
  /** The main division of the tree as it is now; null: there is none. */
  readonly root?: number | null
  /** Part of the phone number of the division. */
  readonly phone_number?: string
}

/** The ids of divisions with this part in their phone number, as an array of the database: what has an index is looked up in it. */
export const divisionsCalled = (part: string) => sql<number[]>`array(
  select divisions.id from divisions where strpos(lower(divisions.phone_number), lower(${part})) > 0)`

const counting = (db: Db, filter: CountFilter) => {
  const { status, user, division, root, phone_number: phoneNumber } = filter
  let query = db.selectFrom('quotationCounts')
  if (status !== undefined) query = query.where('status', 'in', status)
  if (user !== undefined) query = query.where('userId', '=', user)
  if (division !== undefined) query = query.where('divisionId', '=', division)
  if (root !== undefined)
    query = query.where(sql<boolean>`division_id in (select id from divisions where root = ${root})`)
  if (phoneNumber !== undefined) query = query.where(sql<boolean>`division_id = any(${divisionsCalled(phoneNumber)})`)
  return query
}

/** How many of them each status has. */
export const countByStatus = (db: Db, filter: CountFilter): Promise<CountedValue[]> =>
  counting(db, filter)
    .select(['status as value', sql<number>`sum(count)::bigint`.as('count')])
    .groupBy('status')
    .execute()

/** How many quotations there are of these statuses, this owner and these divisions; all where nothing is said. */
export const countQuotations = async (db: Db, filter: CountFilter): Promise<number> => {
  const { count } = await counting(db, filter)
    .select(sql<string>`coalesce(sum(count), 0)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
