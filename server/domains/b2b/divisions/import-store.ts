import { sql, type Selectable } from 'kysely'
import type { Tables, Tx } from '#platform/db/database.ts'
import type { Division } from './division.ts'
import type { Planned } from './plan-import.ts'
import { toDivision } from './store.ts'

/** The divisions that have one of these ERP codes, in whatever case, and all that those hang from; the newest first. */
export const divisionsAbove = async (tx: Tx, erpCodes: readonly string[]): Promise<Division[]> => {
  const { rows } = await sql<Selectable<Tables['divisions']>>`
    with recursive above as (
      select * from divisions where lower(erp_code) in (select lower(code) from unnest(${erpCodes}::text[]) as code)
      union
      select higher.* from divisions higher join above on higher.id = above.parent)
    select * from above order by id desc`.execute(tx)
  return rows.map(toDivision)
}

const recordsOf = (divisions: readonly Planned[]) => sql`
  unnest(${divisions.map(({ id }) => id)}::bigint[], ${divisions.map(({ name }) => name)}::text[],
    ${divisions.map(({ phoneNumber }) => phoneNumber)}::text[], ${divisions.map(({ erpCode }) => erpCode)}::text[],
    ${divisions.map(({ parent }) => parent)}::bigint[], ${divisions.map(({ root }) => root)}::bigint[],
    ${divisions.map(({ isActive }) => isActive)}::boolean[],
    ${divisions.map(({ monthlyLimit }) => monthlyLimit?.toString() ?? null)}::bigint[])
    as record (id, name, phone_number, erp_code, parent, root, is_active, monthly_limit)`

/** In any order: what they refer to has to be there when the statement ends. The caller holds the tree. */
export const insertDivisions = async (tx: Tx, divisions: readonly Planned[], now: Date): Promise<void> => {
  if (divisions.length === 0) return
  await sql`
    insert into divisions
      (id, name, phone_number, erp_code, parent, root, is_active, monthly_limit, created_at, modified_at)
    overriding system value
    select record.*, ${now}::timestamptz, ${now}::timestamptz from ${recordsOf(divisions)}`.execute(tx)
}

/** Sets everything but the ERP code, by which they were found. The caller holds the tree. */
export const updateDivisions = async (tx: Tx, divisions: readonly Planned[], now: Date): Promise<void> => {
  if (divisions.length === 0) return
  await sql`
    update divisions
    set name = record.name, phone_number = record.phone_number, parent = record.parent, root = record.root,
      is_active = record.is_active, monthly_limit = record.monthly_limit, modified_at = ${now}
    from ${recordsOf(divisions)} where divisions.id = record.id`.execute(tx)
}
