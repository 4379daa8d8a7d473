import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Actor, QuotationAction, Surface } from '../rules/vocabulary.ts'

/** Fields of a quotation as the API shows them. */
export type Fields = Readonly<Record<string, unknown>>

/** One change of a quotation: who did what, as what, and what it changed. */
export interface AuditEntry {
  readonly quotationId: number
  readonly action: QuotationAction | 'create'
  /** null: time. */
  readonly userId: number | null
  readonly actor: Actor
  readonly surface: Surface
  /** What changed, before and after. */
  readonly before: Fields | null
  readonly after: Fields | null
  readonly requestId: string | null
  readonly createdAt: Date
}

interface AuditTable extends Omit<AuditEntry, 'before' | 'after'> {
  id: Generated<number>
  before: string | null
  after: string | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    quotationAudit: AuditTable
  }
}

export const recordAudit = async (tx: Tx, entries: readonly AuditEntry[]): Promise<void> => {
  if (entries.length === 0) return
  const [{ createdAt } = { createdAt: null }] = entries
  await sql`
    insert into quotation_audit (quotation_id, action, user_id, actor, surface, before, after, request_id, created_at)
    select *, ${createdAt}::timestamptz from unnest(
      ${entries.map(({ quotationId }) => quotationId)}::bigint[], ${entries.map(({ action }) => action)}::text[],
      ${entries.map(({ userId }) => userId)}::bigint[], ${entries.map(({ actor }) => actor)}::text[],
      ${entries.map(({ surface }) => surface)}::text[], ${entries.map(({ before }) => textOf(before))}::text[],
      ${entries.map(({ after }) => textOf(after))}::text[], ${entries.map(({ requestId }) => requestId)}::text[])`.execute(
    tx,
  )
}

const textOf = (fields: Fields | null): string | null => (fields === null ? null : JSON.stringify(fields))
const fieldsOf = (text: string | null): Fields | null => (text === null ? null : (JSON.parse(text) as Fields))

/** Whether a person was written to about a comment on a quotation since a time, as the audit of comments says. */
export const wasNotified = async (tx: Tx, quotationId: number, userId: number, since: Date): Promise<boolean> => {
  // The order matters: other entries may be long, and are not to be parsed.
  const isSaid = sql<boolean>`case when action = 'comment' and created_at > ${since}
    then (after::jsonb ->> 'told')::bigint = ${userId} else false end`
  const entries = tx.selectFrom('quotationAudit').select('id').where('quotationId', '=', quotationId)
  return (await entries.where(isSaid).limit(1).executeTakeFirst()) !== undefined
}

export interface ListedEntry extends AuditEntry {
  readonly id: number
}

export const auditList = defineList({ filters: { created_at: time('createdAt', 'Made') } })

/** One page of the changes of a quotation, the oldest first. */
export const listAudit = async (db: Db, quotationId: number, page: Page): Promise<Rows<ListedEntry>> => {
  const entries = db.selectFrom('quotationAudit').selectAll().where('quotationId', '=', quotationId)
  const { rows, count } = await readList(db, auditList, page, entries)
  return { rows: rows.map((row) => ({ ...row, before: fieldsOf(row.before), after: fieldsOf(row.after) })), count }
}
