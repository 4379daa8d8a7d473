import { createHash } from 'node:crypto'
import { firstIdOf, idsPerMs, timeOfId } from './time-id.ts'

/**
 * The `webhook-id` of a delivery: a UUIDv7 (RFC 9562, section 5.7) that needs no column. Its time is the
 * delivery's, `rand_a` the counter of its id, `rand_b` 62 bits of a hash over installation and id. So it
 * is the same on every attempt, different in every installation, and leads back to the delivery.
 */
export const webhookIdOf = (deliveryId: number, installationId: string): string => {
  const time = timeOfId(deliveryId).getTime().toString(16).padStart(12, '0')
  const counter = (deliveryId % idsPerMs).toString(16).padStart(3, '0')
  const tail = createHash('sha256').update(`${installationId}:${deliveryId}`).digest().subarray(0, 8)
  tail.writeUInt8((tail.readUInt8(0) & 0x3f) | 0x80, 0)
  const rest = tail.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

/** The delivery that a `webhook-id` names; undefined when this installation never made that id. Upper case is accepted. */
export const deliveryIdOf = (webhookId: string, installationId: string): number | undefined => {
  const [, high, low, counter] =
    /^([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(webhookId.toLowerCase()) ?? []
  if (high === undefined || low === undefined || counter === undefined) return undefined
  const id = firstIdOf(new Date(parseInt(high + low, 16))) + parseInt(counter, 16)
  if (!Number.isSafeInteger(id) || id < 1) return undefined
  return webhookIdOf(id, installationId) === webhookId.toLowerCase() ? id : undefined
}
