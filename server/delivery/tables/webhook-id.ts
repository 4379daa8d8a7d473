import { hash } from 'node:crypto'
import type { Db } from '#platform/db/database.ts'
import { firstIdOf, idsPerMs, timeOfId } from './time-id.ts'

/**
 * The `webhook-id` of a delivery: a UUIDv7 (RFC 9562, section 5.7) that needs no column. Its time is the
 * delivery's, `rand_a` the counter of its id, `rand_b` 62 bits of a hash over installation and id. So it
 * is the same on every attempt, different in every installation, and leads back to the delivery.
 */
export const webhookIdOf = (deliveryId: number, installationId: string): string => {
  const time = timeOfId(deliveryId).getTime().toString(16).padStart(12, '0')
  const counter = (deliveryId % idsPerMs).toString(16).padStart(3, '0')
  const digest = hash('sha256', `${installationId}:${deliveryId}`, 'hex')
  // The two highest bits are the variant of RFC 9562.
  const variant = ((parseInt(digest.slice(0, 1), 16) & 0b0011) | 0b1000).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${digest.slice(1, 4)}-${digest.slice(4, 16)}`
}

/** Both ways in which a `webhook-id` is written: with hyphens, and the 32 digits alone. */
export const webhookIdPattern =
  '^[0-9A-Fa-f]{8}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{4}(-?)[0-9A-Fa-f]{12}$'

/** The delivery that a `webhook-id` names; undefined when this installation never made that id. Upper case is accepted, and so is one without hyphens. */
export const deliveryIdOf = (webhookId: string, installationId: string): number | undefined => {
  const [, high, low, counter] =
    /^([0-9a-f]{8})([0-9a-f]{4})7([0-9a-f]{3})[0-9a-f]{16}$/.exec(digitsOf(webhookId)) ?? []
  if (high === undefined || low === undefined || counter === undefined) return undefined
  const id = firstIdOf(new Date(parseInt(high + low, 16))) + parseInt(counter, 16)
  if (!Number.isSafeInteger(id) || id < 1) return undefined
  return digitsOf(webhookIdOf(id, installationId)) === digitsOf(webhookId) ? id : undefined
}

const digitsOf = (webhookId: string): string => webhookId.replaceAll('-', '').toLowerCase()

/** Id of this installation, unlike that of any other. Made with the database and never changed: read it once. */
export const readInstallationId = async (db: Db): Promise<string> => {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  return id
}
