import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { movementKinds, type MovementKind } from './movements.ts'

export const kindsOfMovements = Object.keys(movementKinds) as MovementKind[]

/** An entry of the ledger. */
export interface Entry {
  readonly id: number
  readonly sku: string
  readonly kind: MovementKind
  /** What it added to what is there, and to what is promised. */
  readonly onHand: number
  readonly allocated: number
  /** What the operator said; or the number of a package or transfer, and what was said of it behind a colon. */
  readonly cause: string
  readonly packageId: number | null
  readonly transferId: number | null
  readonly actorId: number
  readonly createdAt: Date
}

export const ledgerList = defineList({
  count: 'bounded',
  orderings: { id: 'id' },
  defaultOrdering: '-id',
  filters: {
    sku: equals('sku', Type.String()),
    kind: oneOf('kind', OneOf(kindsOfMovements)),
    created_date: time('created_at', 'Booked'),
  },
})

/** What an operator said of an adjustment may look like a number. */
const documentOf = (table: 'packages' | 'transfers') =>
  sql<number | null>`case when kind = 'adjust' then null else (
    select document.id from ${sql.table(table)} as document
    where document.number = split_part(stock_entries.cause, ': ', 1)) end`

export const listEntries = (db: Db, query: Page, locationId: number): Promise<Rows<Entry>> =>
  readList(
    db,
    ledgerList,
    query,
    db
      .selectFrom('stockEntries')
      .select(['id', 'sku', 'kind', 'onHand', 'allocated', 'cause', 'actorId', 'createdAt'])
      .select([documentOf('packages').as('packageId'), documentOf('transfers').as('transferId')])
      .where('locationId', '=', locationId),
  )
