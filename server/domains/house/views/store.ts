import { sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, truth } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

interface SavedViewsTable {
  id: Generated<number>
  userId: number
  screen: string
  name: string
  query: string
  isShared: boolean
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    savedViews: SavedViewsTable
  }
}

/** What its owner says of a view. */
export type ViewFields = Pick<SavedViewsTable, 'screen' | 'name' | 'query' | 'isShared'>

export interface SavedView extends Readonly<ViewFields> {
  readonly id: number
  readonly userId: number
  readonly ownerName: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export const viewList = defineList({
  orderings: { id: 'id', name: 'name', created_at: 'createdAt', modified_at: 'modifiedAt' },
  defaultOrdering: 'name',
  defaultLimit: 100,
  filters: {
    screen: equals('screen', Type.String({ examples: ['deliveries'] })),
    is_shared: truth('isShared'),
  },
})

const ownerName = sql<string>`(select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email)
  from users where users.id = user_id)`

const views = (db: Db | Tx) =>
  db
    .selectFrom('savedViews')
    .select(['id', 'userId', 'screen', 'name', 'query', 'isShared', 'createdAt', 'modifiedAt'])
    .select(ownerName.as('ownerName'))

/** Views that a user has: their own, and those that are shared. */
const visibleTo = (userId: number) => sql<boolean>`(user_id = ${userId} or is_shared)`

export const listViews = (db: Db, userId: number, query: Page): Promise<Rows<SavedView>> =>
  readList(db, viewList, query, views(db).where(visibleTo(userId)))

export const findView = (db: Db | Tx, userId: number, id: number): Promise<SavedView | undefined> =>
  views(db).where('id', '=', id).where(visibleTo(userId)).executeTakeFirst()

/** How many views a user has; nobody adds one of theirs until the transaction ends. */
export const holdViewsOf = async (tx: Tx, userId: number): Promise<number> => {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('savedViews')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns the id; `taken` when the user has a view of this name on the screen, and the transaction is beyond use. */
export const insertView = (tx: Tx, userId: number, fields: ViewFields, now: Date): Promise<{ id: number } | 'taken'> =>
  unlessTaken(
    tx
      .insertInto('savedViews')
      .values({ ...fields, userId, createdAt: now, modifiedAt: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
    'saved_views_name',
  )

/** @returns `taken` when its owner has another view of this name on the screen, and the transaction is beyond use. */
export const updateView = (tx: Tx, id: number, changes: Partial<ViewFields>, now: Date): Promise<unknown> =>
  unlessTaken(
    tx
      .updateTable('savedViews')
      .set({ ...changes, modifiedAt: now })
      .where('id', '=', id)
      .execute(),
    'saved_views_name',
  )

export const deleteView = (tx: Tx, id: number): Promise<unknown> =>
  tx.deleteFrom('savedViews').where('id', '=', id).execute()
