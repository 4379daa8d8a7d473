import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Vault } from '../crypto/vault.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalidField } from '../errors.ts'
import { isPreview, saidOfWrite, type Audit } from './audit.ts'
import { makeIdempotencyKeys, type Answer, type KeyedRequest } from './idempotency-keys.ts'

export type { Answer } from './idempotency-keys.ts'

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

export interface IdempotencyDeps {
  readonly db: Db
  /** Keeps the answers: they can hold what must not stand in a dump. */
  readonly vault: Vault
  readonly hashKey: Buffer
  /** Keys that may have hashed an earlier request, while SECRET_KEY is being changed. */
  readonly earlierHashKeys?: readonly Buffer[]
  /** Says who did what; without it nothing is said. */
  readonly audit?: Audit
}

/**
 * Makes the function through which every write of the API goes. With an `Idempotency-Key` on a POST
 * the key is inserted first: a second request with it waits on the unique index until the first has
 * committed, and then finds its answer; when the first rolled back, the second does the work. A crash
 * leaves either both the change and the answer or neither.
 */
export const makeWrite = (deps: IdempotencyDeps): Write => {
  const { db, vault, audit } = deps
  const keys = makeIdempotencyKeys(vault)
  const once = async (tx: Tx, keyed: KeyedRequest, work: (tx: Tx) => Promise<Answer>): Promise<Answer> => {
    const first = await keys.take(tx, keyed)
    if (first !== undefined) return first
    const answer = await work(tx)
    await keys.keep(tx, keyed, answer)
    return answer
  }
  return async (request, reply, unaudited) => {
    const keyed = keyedRequest(request, deps)
    const isAudited = request.routeOptions.config.audited === true
    const work = async (tx: Tx): Promise<Answer> => {
      const answer = await unaudited(tx)
      if (isAudited && !isPreview(request)) await audit?.(tx, request, saidOfWrite(request, answer))
      return answer
    }
    const answer = await inTransaction(db, (tx) => (keyed === undefined ? work(tx) : once(tx, keyed, work)))
    return sendAnswer(reply, answer)
  }
}

/**
 * Makes the variant of `makeWrite` for work outside a transaction. The key is reserved first, in a
 * transaction of its own; meanwhile a second request with it gets 409. When the work throws, the
 * reservation is withdrawn, as nothing is kept of a write that rolls back. When the process dies, the
 * reservation is taken over by the first request after 60 s, and the work is done again: at least once.
 */
export const makePerform = (deps: IdempotencyDeps): Perform => {
  const { db, vault } = deps
  const keys = makeIdempotencyKeys(vault)
  return async (request, reply, work) => {
    const keyed = keyedRequest(request, deps)
    if (keyed === undefined) return sendAnswer(reply, await work())
    const reservation = randomUUID()
    const first = await inTransaction(db, (tx) => keys.take(tx, keyed, reservation))
    if (first !== undefined) return sendAnswer(reply, first)
    try {
      const answer = await work()
      await inTransaction(db, (tx) => keys.keep(tx, keyed, answer, reservation))
      return await sendAnswer(reply, answer)
    } catch (error) {
      await inTransaction(db, (tx) => keys.withdraw(tx, keyed, reservation))
      throw error
    }
  }
}

const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply =>
  reply
    .code(answer.status)
    .headers({ ...answer.headers })
    .send(answer.body)

interface Route {
  readonly method: string | readonly string[]
  readonly url?: string | undefined
  readonly config?: FastifyContextConfig
}

/** Whether the key counts: at every POST of somebody who is logged in, outside of the login (contract, section 1). */
export const takesKey = ({ method, url = '', config }: Route): boolean =>
  method === 'POST' && config?.access !== 'public' && !url.startsWith('/api/v1/auth/')

/** Refuses what is no key wherever a key counts, also where nothing is written or found. */
export const refuseOddKeys = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    const { url, config } = request.routeOptions
    if (takesKey({ method: request.method, url, config })) keyOf(request)
  })
}

/** The key of a POST; undefined when it has none. @throws AppError 400 for what is no key. */
const keyOf = ({ method, headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalidField('Idempotency-Key', 'Use 1 to 255 visible ASCII characters.')
}

/** The key of a POST, with what it stands for; undefined when it has none. */
const keyedRequest = (
  request: FastifyRequest,
  { hashKey, earlierHashKeys = [] }: IdempotencyDeps,
): KeyedRequest | undefined => {
  const key = keyOf(request)
  if (key === undefined) return undefined
  // Keyed: a body may hold a password, whose plain hash could be guessed from a dump.
  const [head, body] = sentIn(request)
  const hashWith = (secret: Buffer): string =>
    createHmac('sha256', secret).update(head).update(body).digest('base64url')
  const row = { caller: request.principal.userId, path: routeOf(request), key }
  return { row, requestHash: hashWith(hashKey), earlierHashes: earlierHashKeys.map(hashWith) }
}

/**
 * What has to be the same for a request to be the same: the query, which can say what is written, and JSON, or bytes that are
 * passed through with their content type.
 */
const sentIn = ({ body, headers, url }: FastifyRequest): readonly [string, string | Buffer] => {
  const at = url.indexOf('?')
  const query = at === -1 ? '' : `${url.slice(at)}\n`
  return Buffer.isBuffer(body)
    ? [`${query}${headers['content-type'] ?? ''}\n`, body]
    : [query, JSON.stringify(body ?? null)]
}

/** The operation as the router understood it: a path can be written in many ways, and its ids in capitals too. */
const routeOf = ({ routeOptions, params }: FastifyRequest): string =>
  `${routeOptions.url ?? ''} ${JSON.stringify(params, (_name, value: unknown) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )}`
