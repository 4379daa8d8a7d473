import { CompiledQuery } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { retried } from '#platform/db/transaction.ts'
import { isOneOf } from './claim.ts'
import { headerLines } from '../tables/header-lines.ts'
import type { SendResult } from '../outbound/sender.ts'
import type { AttemptOutcome, DeliveryStatus } from '../tables/tables.ts'

/** An attempt that ended, and what becomes of its delivery. */
export interface AttemptResult {
  readonly id: number
  readonly subscriptionId: number
  readonly token: number
  readonly attempt: number
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
  readonly outcome: AttemptOutcome
  /** In one word, and in a sentence for people. */
  readonly reason: string
  readonly detail: string | null
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly durationMs: number
  readonly timing: SendResult['timing']
  readonly address: string | null
  readonly responseStatus: number | null
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/**
 * What is written of a result. One array for each column: PostgreSQL takes 9 µs a row to read them, where
 * reading the same from one JSON text took 13.5 µs.
 */
const columns: readonly (readonly [name: string, type: string, value: (result: AttemptResult) => unknown])[] = [
  ['id', 'bigint', (result) => result.id],
  ['token', 'bigint', (result) => result.token],
  ['number', 'integer', (result) => result.attempt],
  ['status', 'text', (result) => result.status],
  ['next_attempt_at', 'timestamptz', (result) => timeText(result.nextAttemptAt)],
  ['outcome', 'text', (result) => result.outcome],
  ['reason', 'text', (result) => result.reason],
  ['detail', 'text', (result) => result.detail],
  ['started_at', 'timestamptz', (result) => timeText(result.startedAt)],
  ['finished_at', 'timestamptz', (result) => timeText(result.finishedAt)],
  ['duration_ms', 'integer', (result) => result.durationMs],
  ['dns_ms', 'integer', (result) => result.timing.dnsMs],
  ['connect_ms', 'integer', (result) => result.timing.connectMs],
  ['tls_ms', 'integer', (result) => result.timing.tlsMs],
  ['first_byte_ms', 'integer', (result) => result.timing.firstByteMs],
  ['address', 'text', (result) => result.address],
  ['response_status', 'integer', (result) => result.responseStatus],
  ['request_headers', 'text', (result) => headerLines(result.requestHeaders)],
  ['response_headers', 'text', (result) => headerLines(result.responseHeaders)],
  ['response_body', 'text', (result) => result.responseBody],
]

/** As text: the client would otherwise write each one in local time, which takes it several times as long. */
const timeText = (time: Date | null): string | null => time?.toISOString() ?? null

const logged = `number, next_attempt_at, outcome, reason, detail, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
  first_byte_ms, address, response_status, request_headers, response_headers, response_body`

export const finishStatement = prepared(`
  with ended as (
    select * from unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
      as row(${columns.map(([name]) => name).join(', ')})
  ),
  finished as (
    update deliveries delivery
    set status = case when ended.status = 'pending' and not delivery.is_head then 'waiting' else ended.status end,
        next_attempt_at = coalesce(ended.next_attempt_at, delivery.next_attempt_at),
        lane = case when ended.status = 'pending' then 1 else delivery.lane end,
        lease_token = null, leased_at = null, leased_until = null,
        last_status = ended.response_status, last_reason = ended.reason,
        finished_at = case when ended.status in ('pending', 'held', 'waiting') then null else ended.finished_at end
    from ended
    where delivery.id = ended.id and delivery.lease_token = ended.token and ${isOneOf('delivery.id', 'select id from ended')}
    returning delivery.id, delivery.is_head
  ),
  logged as (
    insert into attempts (delivery_id, ${logged})
    select id, ${logged} from ended join finished using (id)
    on conflict do nothing
  ),
  unreported as (
    insert into unreported_failures (delivery_id, status, ended_at)
    select id, status, finished_at from ended join finished using (id)
    where status = outcome and (status = 'failed' or (status = 'delivered' and number > 1))
  )
  select id, is_head as "isHead" from finished`)

/**
 * Whether a written attempt has to be reported, as the statement above decides it: its delivery has failed for good, or
 * arrived after it was tried before. What arrives at once has nothing to be mended.
 */
export const isReportable = ({
  status,
  outcome,
  attempt,
}: Pick<AttemptResult, 'status' | 'outcome' | 'attempt'>): boolean =>
  status === outcome && (status === 'failed' || attempt > 1)

/**
 * Writes any number of attempt results in one statement.
 * @returns the deliveries whose lease was still ours, and whether others may wait for one of them.
 */
export const finish = async (
  db: Db,
  results: readonly AttemptResult[],
): Promise<{ readonly ours: ReadonlySet<number>; readonly hasHeads: boolean }> => {
  const parameters = columns.map(([, , value]) => results.map(value))
  const query = CompiledQuery.raw(finishStatement, parameters)
  const { rows } = await retried(() => db.executeQuery<{ id: number; isHead: boolean | null }>(query))
  return { ours: new Set(rows.map(({ id }) => id)), hasHeads: rows.some(({ isHead }) => isHead === true) }
}
