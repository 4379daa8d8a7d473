import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { offsetOf, orderingOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { Id } from '#platform/http/schemas.ts'
import { contains, equals, fitting, timeRange } from '../list-filters-store.ts'
import type { Division } from './division.ts'
import { columns, toDivision } from './store.ts'

export const divisionFilters = {
  name: contains('name', 'the name'),
  phone_number: contains('phone_number', 'the phone number'),
  erp_code: equals('erp_code', Type.String()),
  parent: equals('parent', Type.Integer({ ...Id, description: 'Branches of this division.' })),
  root: equals('root', Type.Integer({ ...Id, description: 'The tree of this main division, itself included.' })),
  is_active: equals('is_active', Type.Boolean()),
  ...timeRange('created_date', 'created_at'),
  ...timeRange('modified_date', 'modified_at'),
}

/** Fields that the list can be ordered by, and their columns. */
const orderColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`id`,
  name: sql`name`,
  // A division without a code has the empty one to its readers.
  erp_code: sql`coalesce(erp_code, '')`,
  created_date: sql`created_at`,
  modified_date: sql`modified_at`,
}
export const divisionOrderings = Object.keys(orderColumns)

export interface DivisionQuery extends Page {
  readonly ordering?: string
}

/** One page of the divisions that fit the filters of a query, in its order, then by id. @throws AppError 400 for a filter. */
export const listDivisions = async (db: Db, query: DivisionQuery): Promise<Rows<Division>> => {
  const { field, direction } = orderingOf(query.ordering ?? 'id')
  const matching = db.selectFrom('divisions').where(fitting(divisionFilters, { ...query }))
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(orderColumns[field] ?? sql`id`, direction)
    .orderBy('id', direction)
    .limit(query.limit)
    .offset(offsetOf(query))
    .execute()
  return { rows: rows.map(toDivision), count }
}
