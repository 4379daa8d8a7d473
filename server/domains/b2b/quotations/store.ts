import { sql, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Minor } from '#platform/money.ts'
import { money, type Quotation } from './quotation.ts'

/** Amounts are in minor units. */
interface QuotationsTable extends Omit<Quotation, Computed | 'totalAmount' | 'netAmount' | 'consentedAmount'> {
  id: Generated<number>
  version: Generated<number>
  revision: Generated<number>
  rejectedByMain: Generated<boolean>
  totalAmount: number
  /** In units of the currency, as a decimal number with all of its digits. */
  totalUnits: string
  netAmount: number
  consentedAmount: number | null
  sellerWarnedAt: Date | null
  ownerWarnedAt: Date | null
}
type Computed = 'id' | 'version' | 'revision' | 'rejectedByMain'
declare module '#platform/db/database.ts' {
  interface Tables {
    quotations: QuotationsTable
    quotationNumbers: { year: number; last: number }
  }
}

export const columns = [
  'id',
  'number',
  'name',
  'userId',
  'divisionId',
  'rootDivisionId',
  'status',
  'version',
  'revision',
  'currency',
  'totalAmount',
  'netAmount',
  'expiresAt',
  'assignee',
  'rejectedByMain',
  'reason',
  'reasonBy',
  'consentedRevision',
  'consentedAmount',
  'batchSize',
  'sentAt',
  'remindedAt',
  'createdAt',
  'modifiedAt',
] as const
type Row = Pick<Selectable<QuotationsTable>, (typeof columns)[number]>

export const toQuotation = (row: Row): Quotation => ({
  ...row,
  totalAmount: BigInt(row.totalAmount),
  netAmount: BigInt(row.netAmount),
  consentedAmount: row.consentedAmount === null ? null : BigInt(row.consentedAmount),
})
const found = (row: Row | undefined) => (row === undefined ? undefined : toQuotation(row))

export const findQuotation = async (db: Db | Tx, id: number): Promise<Quotation | undefined> =>
  found(await db.selectFrom('quotations').select(columns).where('id', '=', id).executeTakeFirst())

/** Keeps others from changing the quotation, and what is in it, until the transaction ends. Its row is the first lock of every change. */
export const lockQuotation = async (tx: Tx, id: number): Promise<Quotation | undefined> =>
  found(await tx.selectFrom('quotations').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst())

/** The next number of a year. Others who need one wait until the transaction ends, so that a failed attempt leaves no gap. */
export const nextNumber = async (tx: Tx, year: number): Promise<number> => {
  const { last } = await tx
    .insertInto('quotationNumbers')
    .values({ year, last: 1 })
    .onConflict((oc) => oc.column('year').doUpdateSet({ last: sql<number>`quotation_numbers.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export type NewQuotation = Omit<
  Quotation,
  Computed | 'batchSize' | 'sentAt' | 'remindedAt' | 'assignee' | 'reason' | 'reasonBy' | 'modifiedAt'
>

/** Adds a quotation of revision and version 1. */
export const insertQuotation = async (tx: Tx, quotation: NewQuotation): Promise<Quotation> => {
  const { totalAmount, netAmount, consentedAmount } = quotation
  const row = await tx
    .insertInto('quotations')
    .values({
      ...quotation,
      ...totalOf(totalAmount, quotation.currency),
      netAmount: Number(netAmount),
      consentedAmount: consentedAmount === null ? null : Number(consentedAmount),
      assignee: null,
      reason: null,
      reasonBy: null,
      batchSize: null,
      sentAt: null,
      remindedAt: null,
      sellerWarnedAt: null,
      ownerWarnedAt: null,
      modifiedAt: quotation.createdAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toQuotation(row)
}

/** The net amount in units of the currency, whose digits are those of the total. The index `quotations_net` has the same words. */
export const netUnits = sql<string>`(net_amount * 10::numeric ^ -scale(total_units))`

const totalOf = (amount: Minor, currency: string) => ({
  totalAmount: Number(amount),
  totalUnits: money(amount, currency),
})

/** What a change can set. */
export type QuotationChanges = Partial<
  Omit<
    Quotation,
    'id' | 'number' | 'userId' | 'divisionId' | 'rootDivisionId' | 'version' | 'currency' | 'createdAt' | 'modifiedAt'
  >
>

/** Changes a held quotation into its next version. Another time to expire is warned of again. Throws when it changed meanwhile. */
export const updateQuotation = async (
  tx: Tx,
  { id, status, version, currency }: Quotation,
  { totalAmount, netAmount, consentedAmount, ...changes }: QuotationChanges,
  now: Date,
): Promise<Quotation> => {
  const row = await tx
    .updateTable('quotations')
    .set({
      ...changes,
      ...(totalAmount === undefined ? {} : totalOf(totalAmount, currency)),
      ...(netAmount === undefined ? {} : { netAmount: Number(netAmount) }),
      ...(consentedAmount === undefined || consentedAmount === null
        ? {}
        : { consentedAmount: Number(consentedAmount) }),
      ...(changes.expiresAt === undefined ? {} : { sellerWarnedAt: null, ownerWarnedAt: null }),
      version: version + 1,
      modifiedAt: now,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', status)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toQuotation(row)
}

/** Remembers that the owner was reminded, which changes nothing of the quotation. The caller holds it. */
export const noteReminder = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.updateTable('quotations').set({ remindedAt: now }).where('id', '=', id).execute()
}

/** Gives quotations of moved divisions, closed ones too, their new main division; versions stay. Locks them by id. */
export const followDivisions = async (tx: Tx, divisionIds: readonly number[]): Promise<void> => {
  if (divisionIds.length === 0) return
  await sql`
    with moved as (
      select quotations.id, divisions.root from quotations join divisions on divisions.id = quotations.division_id
      where divisions.id = any(${divisionIds}::bigint[]) and quotations.root_division_id <> divisions.root
      order by quotations.id for no key update of quotations
    )
    update quotations set root_division_id = moved.root from moved where quotations.id = moved.id`.execute(tx)
  // By itself: it sees what was approved while the first waited.
  await sql`
    update paid_prices set root_division_id = quotations.root_division_id
    from quotations where quotations.id = quotation_id and quotations.division_id = any(${divisionIds}::bigint[])
      and paid_prices.root_division_id <> quotations.root_division_id`.execute(tx)
}
