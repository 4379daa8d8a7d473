import { CompiledQuery } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { ByteBudget } from './byte-budget.ts'
import type { Claimed } from '../queue/claim.ts'
import { inEnvelope } from '../tables/envelope.ts'

/** JSON is text; what is passed through is bytes. */
export type Body = string | Uint8Array

/** What a delivery sends: the same on every attempt. */
export interface Content {
  readonly contentType: string
  readonly body: Body
}

export interface ContentsOptions {
  /** Bytes of large bodies in memory at once. */
  readonly maxBytes?: number
  /** How long one waits for room. What is left of the lease then is more than an exchange needs. */
  readonly waitMs?: number
}

const defaultMaxBytes = 64 * 2 ** 20
const defaultWaitMs = 5_000
/** Part of the memory that the deliveries of one subscription may have. */
const shareOfOne = 1 / 4

const bodyStatement = prepared(`select body from events where id = $1`)

/**
 * Small bodies come with the claim. Large ones are read just before they are sent, so that what a worker has claimed
 * takes a bounded amount of memory however large the bodies are.
 */
export const makeContents = (db: Db, { maxBytes = defaultMaxBytes, waitMs = defaultWaitMs }: ContentsOptions = {}) => {
  const budget = new ByteBudget({ total: maxBytes, share: maxBytes * shareOfOne, waitMs })
  return {
    /**
     * Calls back with what a delivery sends, and keeps the memory of a large one reserved until that is done.
     * @returns what the callback does; undefined without a call when there was no room in time, or its event is dropped.
     */
    async use<T>(claimed: Claimed, webhookId: string, send: (content: Content) => Promise<T>): Promise<T | undefined> {
      const { subscriptionId, eventId, body, bodyBytes } = claimed
      const contentOf = (stored: string): Content => makeContent(stored, claimed, webhookId)
      if (body !== null) return send(contentOf(body))
      if (!(await budget.take(subscriptionId, bodyBytes))) return undefined
      try {
        const { rows } = await db.executeQuery<{ body: string }>(CompiledQuery.raw(bodyStatement, [eventId]))
        const [event] = rows
        return event === undefined ? undefined : await send(contentOf(event.body))
      } finally {
        budget.give(subscriptionId, bodyBytes)
      }
    },
  }
}

export type Contents = ReturnType<typeof makeContents>

const makeContent = (stored: string, { contentType, envelope, eventType }: Claimed, webhookId: string): Content =>
  contentType === null
    ? { contentType: 'application/json', body: inEnvelope(stored, { envelope, eventType, webhookId }) }
    : { contentType, body: Buffer.from(stored, 'base64') }
