import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import { defineList, type ReadableList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { refuseUnknownSkus } from '../request-fields.ts'
import { unknownOf } from '../stock/index.ts'

export interface DocumentItem {
  readonly sku: string
  readonly quantity: number
}

export interface StockDocument {
  readonly id: number
  /** `<letter>-<year>-<6 digits>`; the year is that of the creation in UTC. More than 999,999 documents get more digits. */
  readonly number: string
  readonly status: string
  readonly items: readonly DocumentItem[]
  /** The shipment that is not cancelled. */
  readonly shipmentId: number | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** One change of a document: who did what, and where it led. */
export interface DocumentChange {
  readonly action: string
  /** Null for the creation. */
  readonly fromStatus: string | null
  readonly toStatus: string
  readonly actorId: number
  readonly createdAt: Date
}

export type DocumentRow<D extends StockDocument> = Omit<D, 'id' | 'items' | 'shipmentId'> & { id: Generated<number> }

interface Definition<D, H> {
  /** Tables, columns and the sequence of the numbers have their names from it. */
  readonly name: 'package' | 'transfer'
  /** Columns besides those of every document. */
  readonly own: readonly (keyof D & string)[]
  readonly ownOfItems?: readonly string[]
  readonly ownOfHistory: readonly (keyof H & string)[]
  readonly list: ReadableList
}

type Said<T> = Omit<T, keyof StockDocument | keyof DocumentChange>
export const historyList = defineList({ filters: { created_date: time('createdAt', 'Made') } })

// Statements are typed for packages; which columns there are is said by the definition.
const namesOf = (name: 'package' | 'transfer') => ({
  table: `${name}s` as 'packages',
  items: `${name}Items` as 'packageItems',
  history: `${name}History` as 'packageHistory',
  owner: `${name}Id` as 'packageId',
})

const makeReading = <D extends StockDocument, H extends DocumentChange>(definition: Definition<D, H>) => {
  const { name, own, ownOfItems = [], ownOfHistory, list } = definition
  const { table, items, history, owner } = namesOf(name)
  const columns = ['id', 'number', ...own, 'status', 'createdAt', 'modifiedAt'] as 'number'[]
  const changeColumns = ['action', 'fromStatus', 'toStatus', ...ownOfHistory, 'actorId', 'createdAt'] as 'action'[]
  const itemFields = sql.join(['sku', 'quantity', ...ownOfItems].flatMap((field) => [sql.lit(field), sql.ref(field)]))

  const withParts = [
    ...columns,
    fixed(sql`(
      select json_agg(json_build_object(${itemFields}) order by position) from ${sql.table(items)}
      where ${sql.ref(`${items}.${owner}`)} = ${sql.ref(`${table}.id`)})`).as('items'),
    // The status is no parameter: a list without filters has none, and keeps its plan.
    fixed(sql`(
      select shipments.id from shipments
      where ${sql.ref(`shipments.${owner}`)} = ${sql.ref(`${table}.id`)} and shipments.status <> 'cancelled')`).as(
      'shipmentId',
    ),
  ] as const
  const rows = (db: Db | Tx) => db.selectFrom(table).select(withParts).$castTo<D>()
  return {
    find: (db: Db | Tx, id: number): Promise<D | undefined> => rows(db).where('id', '=', id).executeTakeFirst(),
    /** A document that is known to exist. */
    read: (tx: Tx, id: number): Promise<D> => rows(tx).where('id', '=', id).executeTakeFirstOrThrow(),
    list: (db: Db, query: Page): Promise<Rows<D>> => readList(db, list, query, rows(db)),

    /** One page of the changes, oldest first. Its own table, because events are dropped after their retention. */
    history: (db: Db, id: number, page: Page): Promise<Rows<H>> =>
      readList(db, historyList, page, db.selectFrom(history).select(changeColumns).where(owner, '=', id).$castTo<H>()),
  }
}

/**
 * Adds a document in status created, and the first entry of its history, in one statement. A rollback leaves a gap in the numbers.
 * @throws AppError 400 for unknown skus.
 */
const makeInsert = <D extends StockDocument, H extends DocumentChange>(name: 'package' | 'transfer') => {
  const { table, items, history, owner } = namesOf(name)
  return async (
    tx: Tx,
    { items: planned, ...fields }: Said<D> & { readonly items: readonly DocumentItem[] },
    { actorId, now, ...said }: { readonly actorId: number; readonly now: Date } & Partial<Said<H>>,
  ): Promise<Pick<StockDocument, 'id' | 'number'>> => {
    const digits = sql`(select lpad(next::text, greatest(6, length(next::text)), '0') from nextval(${sql.lit(`${name}_numbers`)}) as next)`
    const number = sql<string>`${sql.lit(`${name.charAt(0).toUpperCase()}-${now.getUTCFullYear()}-`)} || ${digits}`
    const row = { ...fields, number, status: 'created', createdAt: now, modifiedAt: now }
    const id = sql<number>`(select id from made)`
    const change = { action: 'create', fromStatus: null, toStatus: 'created', ...said, actorId, createdAt: now }
    const { unknown, ...made } = await tx
      .with('made', (db) =>
        db
          .insertInto(table)
          .values(row as never)
          .returning(['id', 'number']),
      )
      .with('listed', (db) =>
        db
          .insertInto(items)
          .values(planned.map(({ sku, quantity }, position) => ({ [owner]: id, sku, quantity, position }) as never)),
      )
      .with('recorded', (db) => db.insertInto(history).values({ [owner]: id, ...change } as never))
      .selectFrom('made')
      .select(['id', 'number', unknownOf(planned.map(({ sku }) => sku)).as('unknown')])
      .$castTo<Pick<StockDocument, 'id' | 'number'> & { readonly unknown: string[] }>()
      .executeTakeFirstOrThrow()
    refuseUnknownSkus(planned, unknown)
    return made
  }
}

/** Rows of packages or transfers, with their items and history. */
export const makeDocumentStore = <D extends StockDocument, H extends DocumentChange>(definition: Definition<D, H>) => {
  const { name } = definition
  const { table, history, owner } = namesOf(name)
  const reading = makeReading(definition)
  const record = (tx: Tx, id: number, change: object): Promise<unknown> =>
    tx
      .insertInto(history)
      .values({ [owner]: id, ...change } as never)
      .execute()

  return {
    ...reading,

    insert: makeInsert<D, H>(name),

    /**
     * Keeps others from changing the document, its shipment included, until the transaction ends.
     * Locked first and read after: what one statement sees of other tables is from before it waited.
     */
    async lock(tx: Tx, id: number): Promise<D | undefined> {
      const held = await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().executeTakeFirst()
      return held === undefined ? undefined : reading.find(tx, id)
    },

    /**
     * Moves the document if it is still in the status it was seen in, which a caller that locked it can rely on, and adds
     * to its history. Throws otherwise.
     * @param fields of the row that change besides the status.
     */
    async move(
      tx: Tx,
      { id, status: fromStatus }: D,
      change: Omit<H, 'fromStatus'> & Pick<DocumentChange, 'toStatus' | 'createdAt'>,
      fields: Partial<Said<D>> = {},
    ): Promise<D> {
      const { toStatus: status, createdAt: modifiedAt } = change
      await tx
        .updateTable(table)
        .set({ ...fields, status, modifiedAt } as object)
        .where('id', '=', id)
        .where('status', '=', fromStatus as 'created')
        .returning('id')
        .executeTakeFirstOrThrow()
      await record(tx, id, { fromStatus, ...change })
      return reading.read(tx, id)
    },
  }
}
