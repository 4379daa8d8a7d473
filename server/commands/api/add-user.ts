import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { readPassword } from '../read-password.ts'
import { clientOf } from './client.ts'
import type { User } from './find-user.ts'

export interface AddUserFlags extends ServerFlags {
  readonly staff?: boolean
  readonly superuser?: boolean
  readonly firstName?: string
  readonly lastName?: string
  readonly passwordStdin?: boolean
}

/** waybill users add EMAIL */
export const addUser = async (flags: AddUserFlags, email: string): Promise<void> => {
  const client = clientOf(flags)
  const password = flags.passwordStdin === true ? await readPassword(`Password of ${email}: `) : undefined
  const user = await client.ask<User>('POST', '/api/v1/users/', {
    email,
    password,
    first_name: flags.firstName,
    last_name: flags.lastName,
    is_staff: flags.staff === true || flags.superuser === true,
    is_superuser: flags.superuser === true,
  })
  if (password === undefined) await client.ask('POST', `/api/v1/users/${user.id}/invite/`)
  if (flags.json === true) return sayJson(user)
  say(
    password === undefined
      ? `Added ${user.email}, who was sent a link to choose a password with. Without a mail server it is kept: docs/operating.md, "Messages that are kept".`
      : `Added ${user.email}.`,
  )
}
