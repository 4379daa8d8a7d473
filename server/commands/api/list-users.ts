import type { ServerFlags } from '../flags.ts'
import { sayJson, sayTable } from '../output.ts'
import { clientOf } from './client.ts'
import type { User } from './find-user.ts'

/** waybill users list */
export const listUsers = async (flags: ServerFlags): Promise<void> => {
  const users = await clientOf(flags).all<User>('/api/v1/users/')
  if (flags.json === true) return sayJson(users)
  sayTable(
    ['ID', 'E-MAIL', 'NAME', 'RIGHTS', 'STATE'],
    users.map((user) => [
      String(user.id),
      user.email,
      `${user.first_name} ${user.last_name}`.trim(),
      rightsOf(user),
      user.is_active ? 'active' : 'switched off',
    ]),
    'There is no user.',
  )
}

const rightsOf = ({ is_superuser: isSuperuser, is_staff: isStaff }: User): string => {
  if (isSuperuser) return 'superuser'
  return isStaff ? 'staff' : ''
}
