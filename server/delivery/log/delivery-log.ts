import { sql, type Selectable } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
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
  const shownBody = sql<string | null>`case when octet_length(events.body) <= ${listedBodyBytes} then events.body end`
  const rows = await read(db, {
    ids: ids.map(({ id }) => id),
    body: shownBody,
    responseCharacters: listedResponseCharacters,
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
  const reading = { ids: [id], body: sql<string>`events.body`, responseCharacters: undefined }
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
  readonly body: ReturnType<typeof sql<string | null>>
  /** Characters of the last response that are wanted; undefined for all. */
  readonly responseCharacters: number | undefined
}

const read = async (db: Db | Tx, { ids, body, responseCharacters }: Reading): Promise<Delivery[]> => {
  if (ids.length === 0) return []
  const shown =
    responseCharacters === undefined ? sql`response_body` : sql`left(response_body, ${responseCharacters}::integer)`
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['deliveries.id', 'eventId', 'subscriptionId', 'status', 'attempts', 'nextAttemptAt'])
    .select(['lastStatus', 'lastReason', 'finishedAt', 'envelope'])
    .select(['events.type as eventType', 'events.occurredAt', 'events.objectType', 'events.objectId'])
    .select(['events.contentType', body.as('body'), sql<number>`octet_length(events.body)`.as('storedBytes')])
    .select(attemptTimes.as('attemptTimes'))
    // The last one that ended with an answer or a reason: one whose process died knows nothing.
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('attempts')
          .select(['startedAt', 'durationMs', sql<string | null>`${shown}`.as('responseBody')])
          .whereRef('deliveryId', '=', 'deliveries.id')
          .where('durationMs', 'is not', null)
          .orderBy('number', 'desc')
          .limit(sql.lit(1))
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['last.startedAt', 'last.durationMs', 'last.responseBody'])
    .where(sql<boolean>`deliveries.id = any(${[...ids]}::bigint[])`)
    .execute()
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

const attemptTimes = sql<Date[]>`array(
  select started_at from attempts where delivery_id = deliveries.id order by number desc)`

/** Of bytes whose base64url has no padding, see send-message.ts: known without reading it. */
const sizeOf = (storedBytes: number): number => Math.floor((storedBytes * 3) / 4)

const bytesOf = (base64: string | null): Buffer | null => (base64 === null ? null : Buffer.from(base64, 'base64'))
