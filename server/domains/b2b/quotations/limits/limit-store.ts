import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import type { Minor } from '#platform/money.ts'
import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'

/** The month, in UTC, that a time is in: from its first moment to that of the next one. */
export interface Month {
  readonly from: Date
  readonly to: Date
}
export const monthOf = (time: Date): Month => {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { from: new Date(Date.UTC(year, month)), to: new Date(Date.UTC(year, month + 1)) }
}

/** What a division with a limit asked for in a month, in one currency. */
export interface Usage {
  /** The division that was asked about: the one with the limit, or one below it. */
  readonly divisionId: number
  readonly limitedId: number
  readonly limitedName: string
  /** In hundredths of whatever currency is ordered in. */
  readonly limit: Minor
  /** null: it asked for nothing. */
  readonly currency: string | null
  readonly used: Minor
}

/** What ended without being approved counts against no limit. */
const uncounted: readonly QuotationStatus[] = ['rejected', 'cancelled', 'expired']
export const isCounted = (status: QuotationStatus): boolean => !uncounted.includes(status)
const countedStatuses = fixed(sql`(${sql.join(quotationStatuses.filter(isCounted).map((status) => sql.lit(status)))})`)
/** Their time does not run, or is over without end: what is due of all others is as good as expired. */
const timeless = fixed(sql`('draft', 'approved')`)

/** What is counted. */
interface Count {
  readonly month: Month
  /** Quotations that are left out. */
  readonly except?: readonly number[]
  /** What had to expire by then is left out too, whether or not it has. */
  readonly dueBy?: Date
}

const anyLimit = sql`exists (select from divisions where monthly_limit is not null)`

/** These divisions, and those above them that have limits. Where no division has one, a look at an empty index is all it takes. */
const limitedAbove = (divisionIds: readonly number[]) => sql`
  recursive above (asked, id, parent, name, monthly_limit) as (
    select id, id, parent, name, monthly_limit from divisions where id = any(${divisionIds}::bigint[]) and ${anyLimit}
    union
    select above.asked, higher.id, higher.parent, higher.name, higher.monthly_limit
    from divisions higher join above on higher.id = above.parent
  ), limited as (
    select asked, id, name, monthly_limit from above where monthly_limit is not null
  )`

/**
 * Lets one transaction at a time add to what counts against the limits of a division and of those above it, until it ends.
 * Whoever comes next sees what it added. Taken after the rows of quotations, and always in the order of the ids.
 * @returns whether there are limits.
 */
export const lockLimits = async (tx: Tx, divisionId: number): Promise<boolean> => {
  const { rows } = await sql<{ id: number }>`
    with ${limitedAbove([divisionId])} select id from limited order by id`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    select pg_advisory_xact_lock(hashtextextended('waybill:limit:' || id, 0))
    from unnest(${rows.map(({ id }) => id)}::bigint[]) as id`.execute(tx)
  return true
}

/**
 * What counts against the limits of these divisions and of those above them in a month, by currency. A division with a limit
 * that asked for nothing has one row.
 */
export const usageOf = async (
  db: Db | Tx,
  divisionIds: readonly number[],
  { month: { from, to }, except = [], dueBy }: Count,
): Promise<Usage[]> => {
  const { rows } = await sql<Omit<Usage, 'limit' | 'used'> & { limit: string; used: string }>`
    with ${limitedAbove(divisionIds)}, below (top, id) as (
      select id, id from limited
      union
      select below.top, branch.id from divisions branch join below on branch.parent = below.id
    ), asked_for as (
      select division_id, currency, sum(net_amount) as amount
      from quotations
      where division_id in (select id from below) and created_at >= ${from} and created_at < ${to}
        and status in ${countedStatuses} and id <> all(${except}::bigint[])
        ${dueBy === undefined ? sql`` : sql`and not (expires_at is not null and expires_at <= ${dueBy} and status not in ${timeless})`}
      group by division_id, currency
    ), used as (
      select below.top, asked_for.currency, sum(asked_for.amount) as amount
      from below join asked_for on asked_for.division_id = below.id
      group by below.top, asked_for.currency
    )
    select limited.asked as division_id, limited.id as limited_id, limited.name as limited_name,
      limited.monthly_limit::text as "limit", used.currency, coalesce(used.amount, 0)::text as used
    from limited left join used on used.top = limited.id
    order by limited.asked, limited.id`.execute(db)
  return rows.map(({ limit, used, ...row }) => ({ ...row, limit: BigInt(limit), used: BigInt(used) }))
}
