import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { remoteIdToWire } from '../../products/index.ts'
import type { TermsShape } from './terms-schemas.ts'
import type { FrozenTerms } from './terms.ts'

/** Terms as they were submitted or sent. */
export interface Revision extends FrozenTerms {
  readonly revision: number
  readonly createdBy: number
  readonly createdAt: Date
}

interface RevisionsTable extends Omit<Revision, keyof FrozenTerms> {
  quotationId: number
  /** JSON text: `Stored`. */
  content: string
}
declare module '#platform/db/database.ts' {
  interface Tables {
    quotationRevisions: RevisionsTable
  }
}

type WireTerms = Static<typeof TermsShape>
type WireItem = WireTerms['items'][number]
/** Items of before products had a sku have none, and those of before there were price lists name none. */
type StoredItem = Omit<WireItem, 'sku' | 'price_list'> & Partial<Pick<WireItem, 'sku' | 'price_list'>>
type Stored = Omit<WireTerms, 'items'> & {
  readonly items: readonly StoredItem[]
  /** [item, product] */
  readonly products: readonly (readonly [number, number])[]
}

/** Freezes terms. Nothing changes or removes them. */
export const insertRevision = async (
  tx: Tx,
  quotationId: number,
  { content, products, revision, createdBy, createdAt }: Revision,
): Promise<void> => {
  const stored: Stored = { ...content, products: [...products] }
  await tx
    .insertInto('quotationRevisions')
    .values({ quotationId, revision, createdBy, createdAt, content: JSON.stringify(stored) })
    .execute()
}

export const findRevision = async (
  db: Db | Tx,
  quotationId: number,
  revision: number,
): Promise<Revision | undefined> => {
  const row = await ofQuotation(db, quotationId).selectAll().where('revision', '=', revision).executeTakeFirst()
  return row === undefined ? undefined : toRevision(row)
}

export interface RevisionSummary extends Omit<Revision, keyof FrozenTerms> {
  readonly netAmount: string
}

export const revisionList = defineList({ key: 'revision', filters: { created_at: time('createdAt', 'Made') } })

/** One page of the revisions of a quotation, the oldest first. Their terms are not read: each may be megabytes. */
export const listRevisions = (db: Db, quotationId: number, page: Page): Promise<Rows<RevisionSummary>> =>
  readList(
    db,
    revisionList,
    page,
    ofQuotation(db, quotationId).select(['revision', 'createdBy', 'createdAt', amountIn('net_amount').as('netAmount')]),
  )

/** How `termsToWire` begins. */
const head = String.raw`^\{"currency":"[A-Z]+","total_amount":"([0-9.]+)","net_amount":"([0-9.]+)"`
const inHead = { total_amount: 1, net_amount: 2 } as const

/** An amount of a revision. Only the beginning of the content is unpacked, where terms have their amounts. */
export const amountIn = (amount: keyof typeof inHead) => sql<string>`coalesce(
  (regexp_match(left(content, 100), ${sql.lit(head)}))[${sql.lit(inHead[amount])}],
  content::jsonb ->> ${sql.lit(amount)})`

const ofQuotation = (db: Db | Tx, quotationId: number) =>
  db.selectFrom('quotationRevisions').where('quotationId', '=', quotationId)

const toRevision = ({ content: text, revision, createdBy, createdAt }: RevisionsTable): Revision => {
  const { products, ...content } = JSON.parse(text) as Stored
  // In those of before, remote ids were texts, also where they are numbers, and the skus; and there were no lists.
  const items = content.items.map(({ id, product_remote_id: remoteId, sku = String(remoteId), ...item }) => ({
    id,
    product_remote_id: remoteIdToWire(remoteId),
    sku,
    ...item,
    price_list: item.price_list ?? null,
  }))
  return { revision, content: { ...content, items }, products: new Map(products), createdBy, createdAt }
}
