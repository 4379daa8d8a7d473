import type { Generated } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** Fields as the API shows them. */
export type Fields = Readonly<Record<string, unknown>>

interface AuditLogTable {
  id: Generated<number>
  userId: number | null
  surface: string
  action: string
  objectType: string
  objectId: string | null
  /** JSON text. */
  before: string | null
  after: string | null
  requestId: string | null
  createdAt: Date
}
declare module '../db/database.ts' {
  interface Tables {
    auditLog: AuditLogTable
  }
}

/** Something that somebody did. */
export type AuditEntry = Readonly<Omit<AuditLogTable, 'id' | 'before' | 'after'>> & {
  /** What was sent of it, as it was before and after; without secrets. */
  readonly before: Fields | null
  readonly after: Fields | null
}

const textOf = (fields: Fields | null): string | null => (fields === null ? null : JSON.stringify(fields))

/** Adds an entry, as part of the change that it is about. */
export const insertAuditEntry = (db: Db | Tx, { before, after, ...entry }: AuditEntry): Promise<unknown> =>
  db
    .insertInto('auditLog')
    .values({ ...entry, before: textOf(before), after: textOf(after) })
    .execute()

/** Forgets what was done before. */
export const forgetAudit = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('auditLog').where('createdAt', '<', before).execute()
}
