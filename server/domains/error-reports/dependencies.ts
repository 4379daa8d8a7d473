import type { Db, Tx } from '#platform/db/database.ts'
import { operationsFor } from '#platform/http/route-options.ts'

/** What people may do now. */
export interface Person {
  readonly id: number
  readonly isActive: boolean
  readonly isStaff: boolean
  readonly isSuperuser: boolean
}

/** These people; those who do not exist are left out. */
export type FindPeople = (db: Db | Tx, ids: readonly number[]) => Promise<readonly Person[]>

/** Operations of the back office, and of keys limited to error reports. */
export const read = operationsFor({ access: { role: 'staff', scope: 'error-reports:read' } })
export const write = operationsFor({ access: { role: 'staff', scope: 'error-reports:write' } })
/** Writes of groups: what many reports of one cause are done to. */
export const writeGroup = operationsFor({ access: { role: 'staff', scope: 'error-reports:write' }, audited: true })
/** Writes that are 409 where another report of the same thing is open. */
export const reopening = operationsFor({ access: { role: 'staff', scope: 'error-reports:write' }, also: [409] })
