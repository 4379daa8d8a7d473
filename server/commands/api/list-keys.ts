import type { ServerFlags } from '../flags.ts'
import { sayJson, sayTable } from '../output.ts'
import { clientOf } from './client.ts'

interface ApiKey {
  readonly id: number
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[] | null
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** waybill keys list */
export const listKeys = async (flags: ServerFlags): Promise<void> => {
  const keys = await clientOf(flags).all<ApiKey>('/api/v1/auth/api-keys/')
  if (flags.json === true) return sayJson(keys)
  sayTable(
    ['ID', 'NAME', 'BEGINS WITH', 'SCOPES', 'EXPIRES', 'LAST USED'],
    keys.map((key) => [
      String(key.id),
      key.name,
      key.prefix,
      key.scopes?.join(' ') ?? 'all rights of its user',
      key.expires_at ?? 'never',
      key.last_used_at ?? 'never',
    ]),
    'There is no API key.',
  )
}
