import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { clientOf } from './client.ts'
import { findUser, type User } from './find-user.ts'

/** waybill users switch-off EMAIL */
export const switchOff = (flags: ServerFlags, email: string): Promise<void> => switchUser(flags, email, false)

/** waybill users switch-on EMAIL */
export const switchOn = (flags: ServerFlags, email: string): Promise<void> => switchUser(flags, email, true)

const switchUser = async (flags: ServerFlags, email: string, isActive: boolean): Promise<void> => {
  const client = clientOf(flags)
  const { id } = await findUser(client, email)
  const user = await client.ask<User>('PATCH', `/api/v1/users/${id}/`, { is_active: isActive })
  if (flags.json === true) return sayJson(user)
  say(
    isActive ? `${user.email} may log in again.` : `${user.email} may not log in any more, and their keys have ended.`,
  )
}
