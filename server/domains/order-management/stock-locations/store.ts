import { sql, type Generated } from 'kysely'
import type { LocationKind } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { isUniqueViolation } from '#platform/db/sql-errors.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { CreatedBetween } from '../request-fields.ts'
import type { LocationFields, StockLocation } from './stock-location.ts'

interface StockLocationsTable extends LocationFields {
  id: Generated<number>
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    stockLocations: StockLocationsTable
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

/** @returns `code_taken` when another location has the code; the transaction is then beyond use. */
export const updateLocation = async (
  tx: Tx,
  id: number,
  fields: LocationFields,
  now: Date,
): Promise<StockLocation | 'code_taken'> => {
  try {
    return await tx
      .updateTable('stockLocations')
      .set({ ...fields, modifiedAt: now })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error, 'stock_locations_code')) return 'code_taken'
    throw error
  }
}

export const findLocation = (db: Db | Tx, id: number): Promise<StockLocation | undefined> =>
  db.selectFrom('stockLocations').select(columns).where('id', '=', id).executeTakeFirst()

/** Keeps others from changing the location until the transaction ends. */
export const lockLocation = (tx: Tx, id: number): Promise<StockLocation | undefined> =>
  tx.selectFrom('stockLocations').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Keeps the location as it is until the transaction ends, while others may do the same: for work that goes there. */
export const holdLocation = (tx: Tx, id: number): Promise<StockLocation | undefined> =>
  tx.selectFrom('stockLocations').select(columns).where('id', '=', id).forShare().executeTakeFirst()

export interface LocationFilters extends CreatedBetween {
  readonly code: string | undefined
  /** Part of the name; case makes no difference. */
  readonly name: string | undefined
  readonly kind: readonly LocationKind[] | undefined
  readonly isActive: boolean | undefined
}

const orderColumns: Record<string, string> = {
  id: 'id',
  code: 'code',
  name: 'name',
  created_date: 'created_at',
  modified_date: 'modified_at',
}
/** Fields that the list can be ordered by. */
export const locationOrderings = Object.keys(orderColumns)

/** One page of the locations that fit, ordered by a field of `locationOrderings` and then by id. */
export const listLocations = async (
  db: Db,
  filters: LocationFilters,
  page: Page,
  { field, direction }: { field: string; direction: 'asc' | 'desc' },
): Promise<Rows<StockLocation>> => {
  const { code, name, kind, isActive, createdFrom, createdBefore } = filters
  const matching = db
    .selectFrom('stockLocations')
    .where((eb) =>
      eb.and([
        ...(code === undefined ? [] : [eb('code', '=', code)]),
        ...(name === undefined ? [] : [sql<boolean>`strpos(lower(name), lower(${name})) > 0`]),
        ...(kind === undefined ? [] : [eb('kind', 'in', kind)]),
        ...(isActive === undefined ? [] : [eb('isActive', '=', isActive)]),
        ...(createdFrom === undefined ? [] : [eb('createdAt', '>=', createdFrom)]),
        ...(createdBefore === undefined ? [] : [eb('createdAt', '<', createdBefore)]),
      ]),
    )
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(sql.ref(orderColumns[field] ?? 'id'), direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
