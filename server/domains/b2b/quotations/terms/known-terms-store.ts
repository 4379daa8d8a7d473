import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Quotation } from '../quotation.ts'
import { amountIn, findRevision } from './revision-store.ts'
import { netUnits } from '../store.ts'
import type { TermsShape } from './terms-schemas.ts'
import { frozenTerms, type FrozenTerms, type Terms } from './terms.ts'
import type { QuotationStatus } from '#events/quotations.ts'

// What buyers know of a quotation is what was submitted or sent: its last revision. What the seller is working on is theirs.

/** Where terms can be others than those of the last revision: in a draft, and in what ended as one. */
const mayDiffer: readonly QuotationStatus[] = ['draft', 'rejected', 'cancelled']

type WireTerms = Static<typeof TermsShape>
export type KnownAmounts = Pick<WireTerms, 'total_amount' | 'net_amount'>

/** The terms that buyers know. @param present the terms as they are now. */
export const knownTerms = async (db: Db | Tx, quotation: Quotation, present: Terms): Promise<FrozenTerms> => {
  const { id, status, revision } = quotation
  if (!mayDiffer.includes(status)) return frozenTerms(present)
  return (await findRevision(db, id, revision)) ?? missing(id, revision)
}

/** What these come to as far as buyers know, where that may be something else; the others are left out. */
export const knownAmounts = async (
  db: Db | Tx,
  quotations: readonly Quotation[],
): Promise<ReadonlyMap<number, KnownAmounts>> => {
  const differing = quotations.filter(({ status }) => mayDiffer.includes(status))
  if (differing.length === 0) return new Map()
  const { rows } = await sql<{ id: number; totalAmount: string; netAmount: string }>`
    select wanted.id, ${amountIn('total_amount')} as total_amount, ${amountIn('net_amount')} as net_amount
    from unnest(${differing.map(({ id }) => id)}::bigint[], ${differing.map(({ revision }) => revision)}::int[])
      as wanted (id, revision)
    join quotation_revisions frozen on frozen.quotation_id = wanted.id and frozen.revision = wanted.revision`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...row }) => [id, { total_amount: row.totalAmount, net_amount: row.netAmount }]))
}

/** An amount of the last revision of a row of `quotations`, as it says it. */
const frozen = (amount: keyof KnownAmounts) => sql<string>`(
  select ${amountIn(amount)}
  from (select quotation_id as of, revision as number, content from quotation_revisions) as one
  where one.of = id and one.number = revision)`
const differs = sql<boolean>`status in (${sql.join(mayDiffer.map((status) => sql.lit(status)))})`

/** The same of the rows of a list, in units of the currency. */
export const knownColumns = {
  totalUnits: sql<string>`(case when ${differs} then ${frozen('total_amount')}::numeric else total_units end)`,
  netUnits: sql<string>`(case when ${differs} then ${frozen('net_amount')}::numeric else ${netUnits} end)`,
}

const missing = (id: number, revision: number): never => {
  throw new Error(`The database has lost revision ${revision} of quotation ${id}.`)
}
