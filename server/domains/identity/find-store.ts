import { sql } from 'kysely'
import { mayCall } from '#platform/auth/principal.ts'
import { foundOfKind, type Find, type Found } from '#platform/found.ts'
import { textIn } from '#platform/lists/filters.ts'
import { foldName } from './user.ts'

/** People, for superusers: by id and login name, by a part of the e-mail, and by last name. */
export const find: Find<'user'> = async (db, principal, { text, id, part }) => {
  if (!mayCall(principal, { role: 'superuser' })) return []
  const email = part === null ? sql`false` : textIn(sql`lower(email)`, part, (wanted) => sql`lower(${wanted}::text)`)
  const { rows } = await sql<Found<'user'>>`
    with exact as (
      select user_id as id, true as is_exact from login_names where name = ${foldName(text)}
      union select id, true from users where id = ${id}::bigint),
    named as (
      (select id, false from users where ${email} limit ${sql.lit(foundOfKind)})
      union (select id, false from users where last_name = any(${spellings(text)}::text[]) limit ${sql.lit(foundOfKind)}))
    select 'user' as kind, users.id::text,
      coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as title, email as subtitle,
      '/users/' || users.id as path, bool_or(is_exact) as is_exact
    from (select * from exact union all select * from named) found join users on users.id = found.id
    group by users.id order by bool_or(is_exact) desc, users.id limit ${sql.lit(foundOfKind)}`.execute(db)
  return rows
}

/** The last word as names are written: as it stands, and with a capital letter. */
const spellings = (text: string): string[] => {
  const last = text.split(/\s+/u).at(-1) ?? text
  const capital = last.slice(0, 1).toUpperCase() + last.slice(1).toLowerCase()
  return [...new Set([last, capital, last.toUpperCase()])]
}
