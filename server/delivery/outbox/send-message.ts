import { CompiledQuery, type Selectable } from 'kysely'
import type { Tables, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { currentTraceparent } from '#platform/tracing/tracing.ts'
import { standardBody } from '../tables/envelope.ts'
import { isMediaType, maxContentBytes, type Message } from './message.ts'

/**
 * One event that names its addressee, and its only delivery. Whoever looks for the listeners of events passes by those
 * that have an addressee, so nobody else ever gets it. The counter of the object is locked as `append` locks it.
 *
 * Bytes are kept as base64url in the column that has the JSON of all other events: whatever reads, bounds or drops bodies
 * knows one column, whose rows stay as they were. On the wire from the database base64 is a third longer than the bytes,
 * where `bytea` comes as hexadecimal digits, twice as long; and text cannot hold a NUL.
 */
const sendStatement = prepared(`
  with target as (
    select id, is_active, envelope from subscriptions
    where id = $1 and deleted_at is null and (is_active or disabled_reason in ('failing', 'gone'))
  ),
  counter as (
    insert into object_sequences as counter (object_type, object_id, last)
    select $5, $6, 1 from target
    on conflict (object_type, object_id) do update set last = counter.last + 1
    returning last
  ),
  sent as (
    insert into events (scope, type, occurred_at, object_type, object_id, sequence, content_type, body, addressee, is_test, traceparent)
    select $3, $4, $2, $5, $6, counter.last, $7, $8, target.id, $9, $10 from target cross join counter
    returning id
  )
  insert into deliveries (event_id, subscription_id, envelope, next_attempt_at, status, event_type, object_type, object_id)
  select sent.id, target.id, target.envelope, $2, case when target.is_active then 'pending' else 'held' end, $4, $5, $6 from sent cross join target
  returning id, status`)

/** Of the delivery. */
type SentMessage = Pick<Selectable<Tables['deliveries']>, 'id' | 'status'>

/**
 * Stores a message to one subscription with its delivery.
 * @returns undefined, with nothing written, when somebody switched the subscription off or removed it.
 * @throws TypeError when content is no media type, or longer than `maxContentBytes`: callers check what comes from outside.
 */
export const sendMessage = async (
  tx: Tx,
  subscriptionId: number,
  message: Message,
  now: Date,
): Promise<SentMessage | undefined> => {
  const { type, scope, object, isTest = false } = message
  const { contentType, body } = stored(message, now)
  const parameters = [
    subscriptionId,
    now,
    scope,
    type,
    object.type,
    String(object.id),
    contentType,
    body,
    isTest,
    currentTraceparent() ?? null,
  ]
  const { rows } = await tx.executeQuery<SentMessage>(CompiledQuery.raw(sendStatement, parameters))
  return rows[0]
}

const stored = ({ type, data, content }: Message, now: Date): { contentType: string | null; body: string } => {
  if (content === undefined) return { contentType: null, body: standardBody(type, now, data) }
  const { mediaType, bytes } = content
  if (!isMediaType(mediaType)) throw new TypeError('The media type of the content cannot be sent in a header.')
  if (bytes.byteLength > maxContentBytes) throw new TypeError(`The content has more than ${maxContentBytes} bytes.`)
  // Without padding: the log takes the number of bytes from its length alone.
  return { contentType: mediaType, body: Buffer.from(bytes).toString('base64url') }
}
