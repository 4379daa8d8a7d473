import { sql } from 'kysely'
import { mayCall } from '#platform/auth/principal.ts'
import type { Find, Found } from '#platform/found.ts'

export type ErrorKind = 'error_report' | 'error_report_group'

/** Reports and groups by id. */
export const find: Find<ErrorKind> = async (db, principal, { id }) => {
  if (id === null || !mayCall(principal, { role: 'staff', scope: 'error-reports:read' })) return []
  const { rows } = await sql<Found<ErrorKind>>`
    select 'error_report' as kind, id::text, error_code as title, left(error_desc, 200) as subtitle,
      '/error_reports/' || id as path, true as is_exact
    from error_reports where id = ${id}::bigint
    union all
    select 'error_report_group', id::text, left(title, 200), code_pattern, '/error_report_groups/' || id, true
    from error_report_groups where id = ${id}::bigint`.execute(db)
  return rows
}
