import { Type } from 'typebox'
import { locationKinds } from '#events/order-management.ts'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { invalidField } from '#platform/errors.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, oneOf, recordTimes, truth } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { LocationFields, StockLocation } from './stock-location.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    stockLocations: WithGeneratedId<StockLocation>
  }
}

const columns = [
  'id',
  'code',
  'name',
  'kind',
  'address',
  'isActive',
  'allowBackorder',
  'createdAt',
  'modifiedAt',
] as const

/** @returns undefined when the code is taken. */
export const insertLocation = (tx: Tx, fields: LocationFields, now: Date): Promise<StockLocation | undefined> =>
  tx
    .insertInto('stockLocations')
    .values({ ...fields, createdAt: now, modifiedAt: now })
    .onConflict((oc) => oc.column('code').doNothing())
    .returning(columns)
    .executeTakeFirst()

/** @returns `taken` when another location has the code; the transaction is then beyond use. */
export const updateLocation = (tx: Tx, id: number, fields: Partial<LocationFields>, now: Date) => {
  const query = tx
    .updateTable('stockLocations')
    .set({ ...fields, modifiedAt: now })
    .where('id', '=', id)
  return unlessTaken(query.returning(columns).executeTakeFirstOrThrow(), 'stock_locations_code')
}

export const findLocation = (db: Db | Tx, id: number): Promise<StockLocation | undefined> =>
  db.selectFrom('stockLocations').select(columns).where('id', '=', id).executeTakeFirst()

export const anyLocation = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('stockLocations').select('id').limit(1).executeTakeFirst()) !== undefined

/** Keeps others from changing the location until the transaction ends. */
export const lockLocation = (tx: Tx, id: number): Promise<StockLocation | undefined> =>
  tx.selectFrom('stockLocations').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Keeps the location as it is until the transaction ends, while others may do the same: for work that goes there. */
export const holdLocation = (tx: Tx, id: number): Promise<StockLocation | undefined> =>
  tx.selectFrom('stockLocations').select(columns).where('id', '=', id).forShare().executeTakeFirst()

/**
 * The location that a request wants to send work to, held as it is until the transaction ends. `field` is where the
 * request names it. @throws AppError 400 when it is unknown or inactive.
 */
export const holdWorkLocation = async (tx: Tx, id: number, field: string): Promise<StockLocation> => {
  const location = await holdLocation(tx, id)
  if (location === undefined) throw invalidField(field, 'There is no stock location with this id.')
  if (!location.isActive) throw invalidField(field, `Stock location ${location.code} is not active.`)
  return location
}

export const locationList = defineList({
  orderings: { id: 'id', code: 'code', name: 'name', created_date: 'created_at', modified_date: 'modified_at' },
  defaultOrdering: 'id',
  filters: {
    ...recordTimes,
    code: equals('code', Type.String()),
    name: contains('name', 'the name'),
    kind: oneOf('kind', OneOf(locationKinds)),
    is_active: truth('is_active'),
  },
})

export const listLocations = (db: Db, query: Page): Promise<Rows<StockLocation>> =>
  readList(db, locationList, query, db.selectFrom('stockLocations').select(columns))
