import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { conflict, invalidField } from '../errors.ts'

interface IdempotencyKeysTable {
  caller: number
  path: string
  key: string
  requestHash: string
  status: number | null
  headers: Record<string, string> | null
  body: unknown
  createdAt: Date
}
declare module '../db/database.ts' {
  interface Tables {
    idempotencyKeys: IdempotencyKeysTable
  }
}

/** What a write answers: stored with its idempotency key in the same transaction as the change itself. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Runs a write in one transaction and sends its answer. */
export type Write = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<Answer>,
) => Promise<FastifyReply>

/**
 * Runs a write that cannot be a transaction, because it talks to somebody else's machine, and sends its
 * answer. `work` may open transactions of its own.
 */
export type Perform = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer>,
) => Promise<FastifyReply>

/** Hours that a repeated key gets the first answer (contract, section 1). */
const keptForHours = 24

/** Seconds after which the work of a reservation is taken for dead: far longer than any call to another machine lasts. */
const reservedForSeconds = 60

/**
 * Makes the function through which every write of the API goes. With an `Idempotency-Key` on a POST
 * the key is inserted first: a second request with it waits on the unique index until the first has
 * committed, and then finds its answer; when the first rolled back, the second does the work. A crash
 * leaves either both the change and the answer or neither.
 */
export const makeWrite = ({ db, hashKey }: { db: Db; hashKey: Buffer }): Write => {
  const write: Write = async (request, reply, work) => {
    const key = idempotencyKeyOf(request)
    const answer = await inTransaction(db, (tx) =>
      key === undefined ? work(tx) : once(tx, keyedBy(request, key, hashKey), work),
    )
    return sendAnswer(reply, answer)
  }
  return write
}

/**
 * Makes the variant of `makeWrite` for work outside a transaction. The key is reserved first, in a
 * transaction of its own; meanwhile a second request with it gets 409. When the work throws, the
 * reservation is withdrawn, as nothing is kept of a write that rolls back. When the process dies, the
 * reservation is taken over by the first request after 60 s, and the work is done again: at least once.
 */
export const makePerform = ({ db, hashKey }: { db: Db; hashKey: Buffer }): Perform => {
  const perform: Perform = async (request, reply, work) => {
    const key = idempotencyKeyOf(request)
    if (key === undefined) return sendAnswer(reply, await work())
    const keyed = keyedBy(request, key, hashKey)
    const mine: Reservation = { reservation: randomUUID() }
    const first = await inTransaction(db, (tx) => reserve(tx, keyed, mine))
    if (first !== undefined) return sendAnswer(reply, first)
    try {
      const answer = await work()
      await inTransaction(db, (tx) => keep(tx, keyed, answer, mine))
      return await sendAnswer(reply, answer)
    } catch (error) {
      await inTransaction(db, (tx) => withdraw(tx, keyed, mine))
      throw error
    }
  }
  return perform
}

const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply =>
  reply
    .code(answer.status)
    .headers({ ...answer.headers })
    .send(answer.body)

const idempotencyKeyOf = ({ method, headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'Use 1 to 255 visible ASCII characters.')
  }
  return key
}

/** A key as it is stored: who used it, where, and for what body. */
interface Keyed {
  readonly row: { readonly caller: number; readonly path: string; readonly key: string }
  readonly requestHash: string
}

/** In `headers` while there is no answer: whose work the row waits for, so that nobody else finishes it. */
interface Reservation {
  readonly reservation: string
}

const keyedBy = (request: FastifyRequest, key: string, hashKey: Buffer): Keyed => {
  const path = (request.url.split('?', 1)[0] ?? '').replace(/\/$/, '')
  // Keyed: a body may hold a password, whose plain hash could be guessed from a dump.
  const requestHash = createHmac('sha256', hashKey)
    .update(JSON.stringify(request.body ?? null))
    .digest('base64url')
  return { row: { caller: request.principal.userId, path, key }, requestHash }
}

const once = async (tx: Tx, keyed: Keyed, work: (tx: Tx) => Promise<Answer>): Promise<Answer> => {
  const { row, requestHash } = keyed
  await forgetIfOld(tx, keyed)
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({ ...row, requestHash, status: null, headers: null, body: null, createdAt: sql`now()` })
    .onConflict((oc) => oc.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted === undefined) return firstAnswer(tx, keyed)

  const answer = await work(tx)
  await keep(tx, keyed, answer)
  return answer
}

/** @returns undefined when the work is now this request's to do, else the first answer. @throws AppError 409. */
const reserve = async (tx: Tx, keyed: Keyed, mine: Reservation): Promise<Answer | undefined> => {
  const { row, requestHash } = keyed
  await forgetIfOld(tx, keyed)
  const headers = JSON.stringify(mine) as never
  const reserved = await tx
    .insertInto('idempotencyKeys')
    .values({ ...row, requestHash, status: null, headers, body: null, createdAt: sql`now()` })
    .onConflict((oc) =>
      oc
        .columns(['caller', 'path', 'key'])
        .doUpdateSet({ headers, createdAt: sql`now()` })
        .where('idempotencyKeys.status', 'is', null)
        .where('idempotencyKeys.requestHash', '=', requestHash)
        .where('idempotencyKeys.createdAt', '<', sql<Date>`now() - make_interval(secs => ${reservedForSeconds})`),
    )
    .returning('key')
    .executeTakeFirst()
  return reserved === undefined ? firstAnswer(tx, keyed) : undefined
}

/** Stores the answer; of a reserved key only while the reservation is still `mine`. */
const keep = (tx: Tx, { row }: Keyed, answer: Answer, mine?: Reservation): Promise<unknown> =>
  tx
    .updateTable('idempotencyKeys')
    .set({
      status: answer.status,
      headers: JSON.stringify(answer.headers ?? {}) as never,
      body: JSON.stringify(answer.body ?? null),
    })
    .where(({ and }) => and(row))
    .$if(mine !== undefined, (query) =>
      query.where(sql<boolean>`status is null and headers = ${JSON.stringify(mine)}::jsonb`),
    )
    .execute()

const withdraw = (tx: Tx, { row }: Keyed, mine: Reservation): Promise<unknown> =>
  tx
    .deleteFrom('idempotencyKeys')
    .where(({ and }) => and(row))
    .where(sql<boolean>`status is null and headers = ${JSON.stringify(mine)}::jsonb`)
    .execute()

const forgetIfOld = (tx: Tx, { row }: Keyed): Promise<unknown> =>
  tx
    .deleteFrom('idempotencyKeys')
    .where(({ and, eb }) =>
      and([and(row), eb('createdAt', '<', sql<Date>`now() - make_interval(hours => ${keptForHours})`)]),
    )
    .execute()

const firstAnswer = async (tx: Tx, { row, requestHash }: Keyed): Promise<Answer> => {
  const first = await tx
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'status', 'headers', 'body'])
    .where(({ and }) => and(row))
    .executeTakeFirstOrThrow()
  if (first.requestHash !== requestHash) {
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used before with another body.')
  }
  if (first.status === null)
    throw conflict('idempotency_key_in_use', 'A request with this Idempotency-Key is still running.')
  return {
    status: first.status,
    headers: { ...first.headers, 'idempotency-replayed': 'true' },
    ...(first.body === null ? {} : { body: first.body }),
  }
}

/** Removes keys past their time. @returns how many. */
export const forgetOldKeys = async (db: Db): Promise<number> => {
  const result = await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${keptForHours})`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
