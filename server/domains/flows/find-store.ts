import { sql } from 'kysely'
import { mayCall } from '#platform/auth/principal.ts'
import { foundOfKind, type Find, type Found } from '#platform/found.ts'
import { textIn } from '#platform/lists/filters.ts'

/** Flows, which are few, by id and by a part of the name. */
export const find: Find<'flow'> = async (db, principal, { id, part }) => {
  if (!mayCall(principal, { role: 'staff' })) return []
  const named = part === null ? sql`false` : textIn(sql`lower(name)`, part, (text) => sql`lower(${text}::text)`)
  const { rows } = await sql<Found<'flow'>>`
    select 'flow' as kind, id::text, name as title, direction as subtitle, '/flows/' || id as path,
      (id = ${id}::bigint) is true as is_exact
    from flows where (id = ${id}::bigint or ${named}) and removed_at is null
    order by id limit ${sql.lit(foundOfKind)}`.execute(db)
  return rows
}
