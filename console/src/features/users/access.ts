import type { Schema } from '#api/types.ts'

type Rights = Pick<Schema<'User'>, 'is_staff' | 'is_superuser'>

/** What somebody may do: everything, work in the back office, or only what their division and organizations give. */
export const accesses = ['superuser', 'staff', 'none'] as const
export type Access = (typeof accesses)[number]

export const accessOf = ({ is_staff, is_superuser }: Rights): Access => {
  if (is_superuser) return 'superuser'
  return is_staff ? 'staff' : 'none'
}

/** The fields of the API that an access is. A superuser works in the back office too. */
export const rightsOf = (access: Access): Rights => ({
  is_superuser: access === 'superuser',
  is_staff: access !== 'none',
})

/** Key of the word for what somebody is. */
export const roleOf = (user: Rights & { readonly division: number | null }) => {
  if (user.is_superuser) return 'role.superuser'
  if (user.is_staff) return 'role.staff'
  return user.division === null ? 'role.member' : 'role.buyer'
}
