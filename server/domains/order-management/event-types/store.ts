import { sql, type ColumnType, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, recordTimes, truth } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { EventType, EventTypeFields, JsonObject } from './event-type.ts'

type JsonColumn = ColumnType<JsonObject | null, string | null, string | null>
declare module '#platform/db/database.ts' {
  interface Tables {
    eventTypes: Omit<EventType, 'schema' | 'example' | 'version'> & {
      schema: JsonColumn
      example: JsonColumn
      version: Generated<number>
    }
  }
}

const columns = [
  ...(['name', 'description', 'schema', 'example', 'isActive'] as const),
  ...(['version', 'createdAt', 'modifiedAt'] as const),
] as const

/** One change of types at a time, until the transaction ends; reading them goes on. */
export const lockEventTypes = (tx: Tx): Promise<unknown> =>
  sql`lock table event_types in share row exclusive mode`.execute(tx)

export const insertEventType = (tx: Tx, name: string, fields: EventTypeFields, now: Date): Promise<EventType> =>
  tx
    .insertInto('eventTypes')
    .values({ name, ...columnsOf(fields), createdAt: now, modifiedAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateEventType = (tx: Tx, name: string, fields: EventTypeFields, now: Date): Promise<EventType> =>
  tx
    .updateTable('eventTypes')
    .set({ ...columnsOf(fields), modifiedAt: now, version: sql`nextval('event_type_versions')` })
    .where('name', '=', name)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteEventType = (tx: Tx, name: string): Promise<unknown> =>
  tx.deleteFrom('eventTypes').where('name', '=', name).execute()

const columnsOf = ({ schema, example, ...fields }: EventTypeFields) => ({
  ...fields,
  schema: schema && JSON.stringify(schema),
  example: example && JSON.stringify(example),
})

export const findEventType = (db: Db | Tx, name: string): Promise<EventType | undefined> =>
  db.selectFrom('eventTypes').select(columns).where('name', '=', name).executeTakeFirst()

/** The type, which nobody names in a hook or removes until the transaction ends. */
export const lockEventType = (tx: Tx, name: string): Promise<EventType | undefined> =>
  tx.selectFrom('eventTypes').select(columns).where('name', '=', name).forUpdate().executeTakeFirst()

/** Those of the names that there are, which nobody removes until the transaction ends. */
export const holdEventTypes = async (tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> => {
  if (names.length === 0) return new Set()
  const held = await tx
    .selectFrom('eventTypes')
    .select('name')
    .where('name', 'in', names)
    .orderBy('name')
    .forShare()
    .execute()
  return new Set(held.map(({ name }) => name))
}

export const allEventTypes = (db: Db | Tx): Promise<EventType[]> =>
  db.selectFrom('eventTypes').select(columns).orderBy('name').execute()

export const countEventTypes = async (tx: Tx): Promise<number> =>
  (
    await tx
      .selectFrom('eventTypes')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** Another text after each change of any type: changes are made one after the other, and versions only rise. */
export const readStamp = async (db: Db | Tx): Promise<string> => {
  const { rows } = await sql<{ stamp: string }>`
    select concat(count(*), ' ', max(version)) as stamp from event_types`.execute(db)
  return rows[0]?.stamp ?? ''
}

export const eventTypeList = defineList({
  key: 'name',
  orderings: { name: 'name', created_date: 'created_at', modified_date: 'modified_at' },
  defaultOrdering: 'name',
  filters: {
    name: contains('name', 'the name'),
    is_active: truth('is_active'),
    ...recordTimes,
  },
})

export const listEventTypes = (db: Db, query: Page): Promise<Rows<EventType>> =>
  readList(db, eventTypeList, query, db.selectFrom('eventTypes').select(columns))
