import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fields } from '#platform/audit/audit-store.ts'
import type { Db } from '#platform/db/database.ts'
import { IdOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

/** An entry as it is listed. */
export interface ListedEntry {
  readonly id: number
  readonly userId: number | null
  readonly email: string | null
  readonly surface: string
  readonly action: string
  readonly objectType: string
  readonly objectId: string | null
  readonly before: Fields | null
  readonly after: Fields | null
  readonly requestId: string | null
  readonly createdAt: Date
}

export const auditList = defineList({
  orderings: { id: 'id' },
  defaultOrdering: '-id',
  // A log: what is counted ends at 10,000.
  count: 'bounded',
  filters: {
    action: equals('action', Type.String({ description: 'The operation.', examples: ['updateUser'] })),
    object_type: equals('objectType', Type.String({ examples: ['users'] })),
    object_id: equals('objectId', Type.String({ description: 'With `object_type`.', examples: ['7'] })),
    user: equals('userId', IdOf('Done by this user.')),
    created_at: time('createdAt', 'Done'),
  },
})

const columns = [
  'id',
  'userId',
  'surface',
  'action',
  'objectType',
  'objectId',
  'before',
  'after',
  'requestId',
  'createdAt',
] as const
const email = sql<string | null>`(select email from users where users.id = user_id)`

const fieldsOf = (text: string | null): Fields | null => (text === null ? null : (JSON.parse(text) as Fields))

/** A page of what was done, the newest first. */
export const listAudit = async (db: Db, query: Page): Promise<Rows<ListedEntry>> =>
  mapRows(
    await readList(db, auditList, query, db.selectFrom('auditLog').select(columns).select(email.as('email'))),
    ({ before, after, ...row }) => ({ ...row, before: fieldsOf(before), after: fieldsOf(after) }),
  )
