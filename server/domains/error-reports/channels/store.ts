import { sql } from 'kysely'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { Id } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, recordTimes, truth } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    catalogs: WithGeneratedId<Catalog>
    channels: WithGeneratedId<Channel>
  }
}

export interface Catalog {
  readonly id: number
  readonly name: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}
export interface Channel extends Catalog, ChannelFields {}
export interface ChannelFields {
  readonly name: string
  readonly catalogId: number
  readonly isActive: boolean
  /** Settings of the integration: an object as JSON text. */
  readonly conf: string
}

/** @returns undefined when the name is taken. */
export const insertCatalog = (tx: Tx, name: string, now: Date): Promise<Catalog | undefined> =>
  tx
    .insertInto('catalogs')
    .values({ name, createdAt: now, modifiedAt: now })
    .onConflict((oc) => oc.column('name').doNothing())
    .returningAll()
    .executeTakeFirst()

/** @returns undefined when the catalogue has a channel of that name. The caller holds the catalogue. */
export const insertChannel = (tx: Tx, fields: ChannelFields, now: Date): Promise<Channel | undefined> =>
  tx
    .insertInto('channels')
    .values({ ...fields, createdAt: now, modifiedAt: now })
    .onConflict((oc) => oc.columns(['catalogId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const findCatalog = (db: Db | Tx, id: number): Promise<Catalog | undefined> =>
  db.selectFrom('catalogs').selectAll().where('id', '=', id).executeTakeFirst()

export const findChannel = (db: Db | Tx, id: number): Promise<Channel | undefined> =>
  db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()

/** Keeps a catalogue from being removed until the transaction ends. @returns whether it is there. */
export const holdCatalog = async (tx: Tx, id: number): Promise<boolean> => {
  const row = await tx.selectFrom('catalogs').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return row !== undefined
}

/**
 * Keeps others from changing or removing a channel, and reports of its places from being stored, until the transaction
 * ends. Reports of anything else go on. @returns whether it is there.
 */
export const holdChannel = async (tx: Tx, id: number): Promise<boolean> => {
  const row = await tx.selectFrom('channels').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row !== undefined
}

/** @returns undefined when there is no such catalogue, `taken` when another one has the name. */
export const updateCatalog = (tx: Tx, id: number, name: string, now: Date) =>
  unlessTaken(
    tx.updateTable('catalogs').set({ name, modifiedAt: now }).where('id', '=', id).returningAll().executeTakeFirst(),
  )

/** @returns undefined when there is no such channel, `taken` when another one of its catalogue has the name. */
export const updateChannel = (tx: Tx, id: number, fields: Partial<ChannelFields>, now: Date) =>
  unlessTaken(
    tx
      .updateTable('channels')
      .set({ ...fields, modifiedAt: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
  )

/** What became of something that was to be removed. */
export type Removal = 'removed' | 'not_found' | 'in_use'

/** Removes a catalogue without channels. */
export const removeCatalog = async (tx: Tx, id: number): Promise<Removal> => {
  // New channels refer to the row, so they wait for this lock.
  const held = await tx.selectFrom('catalogs').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (held === undefined) return 'not_found'
  const channel = await tx.selectFrom('channels').select('id').where('catalogId', '=', id).limit(1).executeTakeFirst()
  if (channel !== undefined) return 'in_use'
  await tx.deleteFrom('catalogs').where('id', '=', id).execute()
  return 'removed'
}

/** Removes a channel without reports and mappings, and its groups, which are empty then. */
export const removeChannel = async (tx: Tx, id: number): Promise<Removal> => {
  const held = await tx.selectFrom('channels').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (held === undefined) return 'not_found'
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from place_mappings where channel_id = ${id})
      or exists (
        select from error_report_buckets bucket join error_report_counts counted on counted.bucket_id = bucket.id
        where bucket.channel_id = ${id} and counted.group_id = 0 and counted.day = '-infinity' and counted.count > 0)
      as used`.execute(tx)
  if (rows[0]?.used === true) return 'in_use'
  await sql`delete from error_report_groups where channel_id = ${id}`.execute(tx)
  await tx.deleteFrom('channels').where('id', '=', id).execute()
  return 'removed'
}

const name = contains('name', 'the name')
export const catalogList = defineList({ filters: { name, ...recordTimes } })
export const channelList = defineList({
  filters: { name, catalog: equals('catalogId', Id), is_active: truth('isActive'), ...recordTimes },
})

export const listCatalogs = (db: Db, query: Page): Promise<Rows<Catalog>> =>
  readList(db, catalogList, query, db.selectFrom('catalogs').selectAll())

export const listChannels = (db: Db, query: Page): Promise<Rows<Channel>> =>
  readList(db, channelList, query, db.selectFrom('channels').selectAll())
