import { sql } from 'kysely'
import { readHeaderLines } from '#delivery/tables/header-lines.ts'
import type { Envelope } from '#delivery/tables/envelope.ts'
import type { Tx } from '#platform/db/database.ts'

/** A delivery that failed for good, with what is kept of its last failure. */
export interface FailedDelivery {
  readonly id: number
  readonly subscriptionId: number
  /** That of its subscription. */
  readonly scope: string
  /** Undefined when the event is not kept any more. */
  readonly event: FailedEvent | undefined
  readonly last: LastFailure
}

export interface FailedEvent {
  readonly type: string
  readonly objectType: string | null
  readonly objectId: string | null
  readonly envelope: Envelope
  /** What is stored: the beginning of a JSON text with the size of all of it; or of bytes that are passed through, what they are. */
  readonly content:
    | { readonly kind: 'json'; readonly text: string; readonly bytes: number }
    | { readonly kind: 'raw'; readonly mediaType: string; readonly bytes: number }
}

/** All but the reason are null of a delivery that no attempt of was made. */
export interface LastFailure {
  /** In a word, and for people. */
  readonly reason: string
  readonly detail: string | null
  readonly responseStatus: number | null
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** Characters of a body that are read: a report keeps so many bytes, and a body has up to 1 MiB. */
const readCharacters = 65_536

interface Row extends Pick<FailedDelivery, 'id' | 'subscriptionId' | 'scope'>, StoredEvent {
  readonly lastReason: string | null
}

/** All but the envelope can be null where the event is not kept any more. */
interface StoredEvent extends Omit<FailedEvent, 'type' | 'content'> {
  readonly type: string | null
  readonly contentType: string | null
  readonly text: string | null
  readonly storedBytes: number | null
}

/** What is known of failed deliveries, in no order; without those that are not kept any more. */
export const readFailures = async (tx: Tx, ids: readonly number[]): Promise<FailedDelivery[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select delivery.id, delivery.subscription_id, subscription.scope, delivery.last_reason, delivery.envelope,
           event.type, event.object_type, event.object_id, event.content_type,
           case when event.content_type is null then left(event.body, ${readCharacters}) end as text,
           octet_length(event.body) as stored_bytes
    from deliveries delivery
    join subscriptions subscription on subscription.id = delivery.subscription_id
    left join events event on event.id = delivery.event_id
    where delivery.id = any(${[...ids]}::bigint[])`.execute(tx)
  const last = await lastFailures(tx, ids)
  return rows.map(({ id, subscriptionId, scope, lastReason, ...event }) => ({
    id,
    subscriptionId,
    scope,
    event: eventOf(event),
    last: last.get(id) ?? neverTried(lastReason ?? 'unknown'),
  }))
}

const eventOf = ({ type, contentType, text, storedBytes, ...event }: StoredEvent): FailedEvent | undefined => {
  if (type === null) return undefined
  const bytes = storedBytes ?? 0
  if (contentType === null) return { ...event, type, content: { kind: 'json', text: text ?? '', bytes } }
  // Stored as base64url without padding.
  return { ...event, type, content: { kind: 'raw', mediaType: contentType, bytes: Math.floor((bytes * 3) / 4) } }
}

/** The last attempt of each that failed for good: a later one may be under way, or have arrived. */
const lastFailures = async (tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, LastFailure>> => {
  const rows = await tx
    .selectFrom('attempts')
    .distinctOn('deliveryId')
    .select(['deliveryId', 'reason', 'detail', 'responseStatus', 'requestHeaders', 'responseHeaders', 'responseBody'])
    .where(sql<boolean>`delivery_id = any(${[...ids]}::bigint[])`)
    .where('outcome', '=', 'failed')
    .orderBy('deliveryId')
    .orderBy('number', 'desc')
    .execute()
  return new Map(
    rows.map(({ deliveryId, reason, requestHeaders, responseHeaders, ...row }) => [
      deliveryId,
      {
        ...row,
        reason: reason ?? 'unknown',
        requestHeaders: readHeaderLines(requestHeaders),
        responseHeaders: readHeaderLines(responseHeaders),
      },
    ]),
  )
}

const neverTried = (reason: string): LastFailure => ({
  reason,
  detail: null,
  responseStatus: null,
  requestHeaders: null,
  responseHeaders: null,
  responseBody: null,
})
