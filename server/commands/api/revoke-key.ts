import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { clientOf } from './client.ts'

/** waybill keys revoke ID */
export const revokeKey = async (flags: ServerFlags, id: string): Promise<void> => {
  await clientOf(flags).ask('DELETE', `/api/v1/auth/api-keys/${encodeURIComponent(id)}/`)
  if (flags.json === true) return sayJson({ revoked: id })
  say(`Key ${id} has ended.`)
}
