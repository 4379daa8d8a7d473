import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { placeTypes, type PlaceName } from '../open-reports.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    placeMappings: WithGeneratedId<PlaceMapping>
  }
}

/** What a place that a channel names is here. */
export interface PlaceMapping extends PlaceName {
  readonly id: number
  readonly localId: number | null
  readonly localName: string
  readonly createdBy: number
  readonly createdAt: Date
}

/**
 * The mappings of places that reports speak of. Holds the channels, so that a mapping made at the same time either is
 * found here or finds the reports that `tx` stores (`holdChannel`).
 * @returns for each wanted place its mapping, or undefined.
 */
export const mappedPlaces = async (tx: Tx, wanted: readonly PlaceName[]): Promise<(PlaceMapping | undefined)[]> => {
  if (wanted.length === 0) return []
  const channels = [...new Set(wanted.map(({ channelId }) => channelId))]
  await sql`select id from channels where id = any(${channels}::bigint[]) order by id for share`.execute(tx)
  const found = await tx
    .selectFrom('placeMappings')
    .selectAll()
    .where(
      sql<boolean>`(channel_id, place_type, remote_code) in (
        select * from unnest(${wanted.map(({ channelId }) => channelId)}::bigint[],
          ${wanted.map(({ placeType }) => placeType)}::text[], ${wanted.map(({ remoteCode }) => remoteCode)}::text[]))`,
    )
    .execute()
  const byName = new Map(found.map((mapping) => [nameOf(mapping), mapping]))
  return wanted.map((place) => byName.get(nameOf(place)))
}

const nameOf = ({ channelId, placeType, remoteCode }: PlaceName): string =>
  JSON.stringify([channelId, placeType, remoteCode])

export const findMapping = (db: Db | Tx, id: number): Promise<PlaceMapping | undefined> =>
  db.selectFrom('placeMappings').selectAll().where('id', '=', id).executeTakeFirst()

export const isMapped = async (db: Db | Tx, { channelId, placeType, remoteCode }: PlaceName): Promise<boolean> => {
  const mapping = await db
    .selectFrom('placeMappings')
    .select('id')
    .where('channelId', '=', channelId)
    .where('placeType', '=', placeType)
    .where('remoteCode', '=', remoteCode)
    .executeTakeFirst()
  return mapping !== undefined
}

/** @returns undefined when the place is mapped already. The caller holds the channel. */
export const insertMapping = (tx: Tx, fields: Omit<PlaceMapping, 'id'>): Promise<PlaceMapping | undefined> =>
  tx
    .insertInto('placeMappings')
    .values(fields)
    .onConflict((oc) => oc.columns(['channelId', 'placeType', 'remoteCode']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateMapping = (
  tx: Tx,
  id: number,
  changes: Partial<Pick<PlaceMapping, 'localId' | 'localName'>>,
): Promise<PlaceMapping | undefined> =>
  tx.updateTable('placeMappings').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

/** @returns whether there was one. */
export const removeMapping = async (tx: Tx, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('placeMappings').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export const mappingList = defineList({
  filters: {
    channel: equals('channelId', Id),
    type: equals('placeType', OneOf(placeTypes)),
    remote_code: equals('remoteCode', Type.String()),
    created_date: time('createdAt', 'Created'),
  },
})

export const listMappings = (db: Db, query: Page): Promise<Rows<PlaceMapping>> =>
  readList(db, mappingList, query, db.selectFrom('placeMappings').selectAll())
