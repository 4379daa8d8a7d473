import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import type { ReadableList } from '#platform/lists/define-list.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { matches, type DeliveryFilter } from './delivery-filter.ts'
import { readHeaderLines } from '../tables/header-lines.ts'
import { timeOfId } from '../tables/time-id.ts'

/** One event to one subscription, and where its delivery stands. */
export interface Delivery
  extends
    Readonly<Omit<Selectable<Tables['deliveries']>, 'attemptsBefore' | 'lane' | 'nextAttemptAt' | QueueColumn>>,
    Readonly<Pick<Selectable<Tables['events']>, 'occurredAt' | 'objectType' | 'objectId'>> {
  readonly createdAt: Date
  /** When the next attempt is due; null unless the delivery is pending. */
  readonly nextAttemptAt: Date | null
  readonly eventType: string
  /** The JSON text that is stored; null of content that is passed through, and where a list leaves a large one out. */
  readonly body: string | null
  /** What is sent when it is passed through as it was given; null when it is JSON. */
  readonly content: RawContent | null
  readonly lastAttempt: LastAttempt | undefined
  /** When each attempt began, the newest first. */
  readonly attemptTimes: readonly Date[]
}

export interface RawContent {
  readonly mediaType: string
  /** null where a list leaves them out because they are many. */
  readonly bytes: Buffer | null
  /** How many they are. */
  readonly size: number
}

type QueueColumn = 'leaseToken' | 'leasedAt' | 'leasedUntil' | 'sequence' | 'isHead'

type AttemptRow = Readonly<Selectable<Tables['attempts']>>

type LastAttempt = Pick<AttemptRow, 'startedAt' | 'durationMs' | 'responseBody'>

/** One attempt as its log keeps it. */
export interface Attempt extends LastAttempt, Pick<AttemptRow, (typeof attemptColumns)[number]> {
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** How long each phase took; null where there was none, such as on a connection that was there already. */
  readonly timing: Pick<AttemptRow, (typeof timingColumns)[number]>
}

const timingColumns = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const

const attemptColumns = [
  ...(['number', 'startedAt', 'durationMs', 'outcome', 'reason', 'detail'] as const),
  ...(['nextAttemptAt', 'responseStatus', 'responseBody', 'address'] as const),
] as const

/** Bytes of a body as it is stored, and characters of a response, up to which a list shows them: a page has up to 1,000 rows. */
export const listedBodyBytes = 16_384
export const listedResponseCharacters = 1_024

/**
 * A page of the deliveries that match, in the order of the list: they are told apart, and ordered, by their ids, which begin
 * with the time.
 */
export const listDeliveries = async (
  db: Db,
  list: ReadableList,
  filter: DeliveryFilter,
  query: Page & { readonly ordering?: string },
): Promise<Rows<Delivery>> => {
  if (filter.subscriptionIds.length === 0) return { rows: [], count: 0 }
  const matching = db.selectFrom('deliveries').select('deliveries.id').where(matches(filter))
  const { rows: ids, ...found } = await readList(db, list, query, matching)
  const rows = await read(db, {
    ids: ids.map(({ id }) => id),
    body: sql`case when octet_length(events.body) <= ${listedBodyBytes} then events.body end`,
    responseBody: sql`left(response_body, ${listedResponseCharacters})`,
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...found, rows: ids.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** One delivery of the given subscriptions, with everything that was sent and answered. */
export const findDelivery = async (
  db: Db | Tx,
  id: number,
  subscriptionIds: readonly number[] | Promise<readonly number[]>,
): Promise<Delivery | undefined> => {
  const reading = { ids: [id], body: sql<string>`events.body`, responseBody: sql<string | null>`response_body` }
  const [[delivery], visible] = await Promise.all([read(db, reading), subscriptionIds])
  return delivery !== undefined && visible.includes(delivery.subscriptionId) ? delivery : undefined
}

/** Every attempt of a delivery, the first one first. */
export const attemptsOf = async (db: Db | Tx, deliveryId: number): Promise<Attempt[]> => {
  const rows = await db
    .selectFrom('attempts')
    .select([...attemptColumns, ...timingColumns, 'requestHeaders', 'responseHeaders'])
    .where('deliveryId', '=', deliveryId)
    .orderBy('number')
    .execute()
  return rows.map(({ dnsMs, connectMs, tlsMs, firstByteMs, ...row }) => ({
    ...row,
    requestHeaders: readHeaderLines(row.requestHeaders),
    responseHeaders: readHeaderLines(row.responseHeaders),
    timing: { dnsMs, connectMs, tlsMs, firstByteMs },
  }))
}

interface Reading {
  readonly ids: readonly number[]
  readonly body: RawBuilder<string | null>
  readonly responseBody: RawBuilder<string | null>
}

interface Row extends Omit<Delivery, 'createdAt' | 'content' | 'lastAttempt'>, Pick<LastAttempt, 'responseBody'> {
  readonly contentType: string | null
  readonly storedBytes: number
  readonly startedAt: Date | null
  readonly durationMs: number | null
}

/** The last attempt is the last that ended with an answer or a reason: of one whose process died nothing is known. */
const read = async (db: Db | Tx, { ids, body, responseBody: shown }: Reading): Promise<Delivery[]> => {
  if (ids.length === 0) return []
  // The planner looks into an array that it knows, and plans anew for each, which takes longer than to read the rows.
  const rows = await preparedSelect(
    db,
    sql<Row>`
    select deliveries.id, event_id, subscription_id, status, attempts, next_attempt_at, last_status, last_reason, finished_at,
      envelope, events.type as event_type, events.occurred_at, events.object_type, events.object_id, events.content_type,
      ${body} as body, octet_length(events.body) as stored_bytes,
      array(select started_at from attempts where delivery_id = deliveries.id order by number desc) as attempt_times,
      last.started_at, last.duration_ms, last.response_body
    from unnest((select ${[...ids]}::bigint[])) as given (id)
    join deliveries on deliveries.id = given.id
    join events on events.id = event_id
    left join lateral (
      select started_at, duration_ms, ${shown} as response_body from attempts
      where delivery_id = deliveries.id and duration_ms is not null order by number desc limit 1
    ) as last on true`,
  )
  return rows.map(({ contentType, body: stored, storedBytes, startedAt, durationMs, responseBody, ...row }) => ({
    ...row,
    body: contentType === null ? stored : null,
    content:
      contentType === null ? null : { mediaType: contentType, bytes: bytesOf(stored), size: sizeOf(storedBytes) },
    createdAt: timeOfId(row.id),
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt : null,
    lastAttempt: startedAt === null ? undefined : { startedAt, durationMs, responseBody },
  }))
}

/** Of bytes whose base64url has no padding, see send-message.ts: known without reading it. */
const sizeOf = (storedBytes: number): number => Math.floor((storedBytes * 3) / 4)

const bytesOf = (base64: string | null): Buffer | null => (base64 === null ? null : Buffer.from(base64, 'base64'))
