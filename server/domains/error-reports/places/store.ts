import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { PlaceName, PlaceType } from '../open-reports.ts'

interface PlaceMappingsTable {
  id: Generated<number>
  channelId: number
  placeType: PlaceType
  remoteCode: string
  localId: number | null
  localName: string
  createdBy: number
  createdAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    placeMappings: PlaceMappingsTable
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

const columns = [
  'id',
  'channelId',
  'placeType',
  'remoteCode',
  'localId',
  'localName',
  'createdBy',
  'createdAt',
] as const

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
    .select(columns)
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

/** One mapping. */
export const findMapping = (db: Db | Tx, id: number): Promise<PlaceMapping | undefined> =>
  db.selectFrom('placeMappings').select(columns).where('id', '=', id).executeTakeFirst()

/** @returns undefined when the place is mapped already. The caller holds the channel. */
export const insertMapping = (tx: Tx, fields: Omit<PlaceMapping, 'id'>): Promise<PlaceMapping | undefined> =>
  tx
    .insertInto('placeMappings')
    .values(fields)
    .onConflict((oc) => oc.columns(['channelId', 'placeType', 'remoteCode']).doNothing())
    .returning(columns)
    .executeTakeFirst()

export const updateMapping = (
  tx: Tx,
  id: number,
  changes: Partial<Pick<PlaceMapping, 'localId' | 'localName'>>,
): Promise<PlaceMapping | undefined> =>
  tx.updateTable('placeMappings').set(changes).where('id', '=', id).returning(columns).executeTakeFirst()

/** @returns whether there was one. */
export const removeMapping = async (tx: Tx, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('placeMappings').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export interface MappingFilters {
  readonly channelId: number | undefined
  readonly placeType: PlaceType | undefined
  readonly remoteCode: string | undefined
}

export const listMappings = async (db: Db, filters: MappingFilters, page: Page): Promise<Rows<PlaceMapping>> => {
  const { channelId, placeType, remoteCode } = filters
  const fitting = db
    .selectFrom('placeMappings')
    .where((eb) =>
      eb.and([
        ...(channelId === undefined ? [] : [eb('channelId', '=', channelId)]),
        ...(placeType === undefined ? [] : [eb('placeType', '=', placeType)]),
        ...(remoteCode === undefined ? [] : [eb('remoteCode', '=', remoteCode)]),
      ]),
    )
  const { count } = await fitting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await fitting.select(columns).orderBy('id').limit(page.limit).offset(offsetOf(page)).execute()
  return { rows, count }
}
