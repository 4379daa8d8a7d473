import { CommandFailure, exitCodes } from '../failure.ts'
import type { Client } from './client.ts'

export interface User {
  readonly id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly is_staff: boolean
  readonly is_superuser: boolean
  readonly is_active: boolean
}

/** @throws CommandFailure when nobody has this e-mail. */
export const findUser = async (client: Client, email: string): Promise<User> => {
  const candidates = await client.all<User>(`/api/v1/users/?email=${encodeURIComponent(email)}`)
  const user = candidates.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase())
  if (user === undefined) throw new CommandFailure(`Nobody has the e-mail ${email}.`, exitCodes.notFound)
  return user
}
