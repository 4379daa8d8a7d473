import type { ServerFlags } from '../flags.ts'
import { note, say, sayJson } from '../output.ts'
import { readPassword } from '../read-password.ts'
import { clientOf, clientWith, originOf, type Client } from './client.ts'

export interface MakeKeyFlags extends ServerFlags {
  readonly scope?: readonly string[]
  readonly expires?: Date
  readonly login?: string
}

/** waybill keys make NAME: prints the key alone, so that it can be put into a variable. */
export const makeKey = async (flags: MakeKeyFlags, name: string): Promise<void> => {
  const client = flags.login === undefined ? clientOf(flags) : await logIn(flags, flags.login)
  const made = await client.ask<{ id: number; key: string }>('POST', '/api/v1/auth/api-keys/', {
    name,
    ...(flags.scope === undefined ? {} : { scopes: flags.scope }),
    ...(flags.expires === undefined ? {} : { expires_at: flags.expires.toISOString() }),
  })
  if (flags.login !== undefined) await client.ask('POST', '/api/v1/auth/logout/')
  if (flags.json === true) return sayJson(made)
  say(made.key)
  note(`Key ${made.id} was made, and is shown only this once.`)
}

const logIn = async (flags: MakeKeyFlags, email: string): Promise<Client> => {
  const origin = originOf(flags.server ?? process.env['WAYBILL_SERVER'] ?? 'http://127.0.0.1:4000')
  const password = await readPassword(`Password of ${email}: `)
  const { key } = await clientWith(origin).ask<{ key: string }>('POST', '/api/v1/auth/login/', {
    username: email,
    password,
  })
  return clientWith(origin, key)
}
