import { sql } from 'kysely'
import type { SealedColumn } from '../crypto/reseal.ts'
import type { Vault } from '../crypto/vault.ts'
import type { Db, Tx } from '../db/database.ts'
import { conflict } from '../errors.ts'

interface IdempotencyKeysTable {
  caller: number
  path: string
  key: string
  requestHash: string
  /** Whose work the row waits for, when that is done outside of the transaction that made it. */
  reservation: string | null
  /** The encrypted answer; null until there is one. */
  answer: string | null
  createdAt: Date
}
declare module '../db/database.ts' {
  interface Tables {
    idempotencyKeys: IdempotencyKeysTable
  }
}

/** The answers, which are encrypted. */
export const sealedAnswers: SealedColumn = { table: 'idempotency_keys', column: 'answer' }

/** What a write answers: stored with its idempotency key in the same transaction as the change itself. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A key as it is stored: who used it, where, and for what body. */
export interface KeyedRequest {
  readonly row: { readonly caller: number; readonly path: string; readonly key: string }
  readonly requestHash: string
  /** The hash that the same body had with the keys before this one. */
  readonly earlierHashes: readonly string[]
}

/** Hours that a repeated key gets the first answer (contract, section 1). */
const keptForHours = 24

/** Seconds after which the work of a reservation is taken for dead: far longer than any call to another machine lasts. */
const reservedForSeconds = 60

/** The keys that were used, and what was answered to them. */
export const makeIdempotencyKeys = (vault: Vault) => ({
  /**
   * Takes the key for the work of this transaction, or for work outside of it: then it is the reservation's until its answer is kept.
   * @returns the first answer when it was used before. @throws AppError 409.
   */
  async take(tx: Tx, keyed: KeyedRequest, reservation: string | null = null): Promise<Answer | undefined> {
    const { row, requestHash, earlierHashes } = keyed
    await forgetOldKeys(tx, row)
    const taken = await tx
      .insertInto('idempotencyKeys')
      .values({ ...row, requestHash, answer: null, createdAt: sql<Date>`now()`, reservation })
      .onConflict((oc) =>
        oc
          .columns(['caller', 'path', 'key'])
          .doUpdateSet({ reservation, createdAt: sql`now()` })
          .where('idempotencyKeys.answer', 'is', null)
          .where('idempotencyKeys.requestHash', 'in', [requestHash, ...earlierHashes])
          .where('idempotencyKeys.createdAt', '<', sql<Date>`now() - make_interval(secs => ${reservedForSeconds})`),
      )
      .returning('key')
      .executeTakeFirst()
    return taken === undefined ? firstAnswer(tx, vault, keyed) : undefined
  },

  /** Stores the answer; of a reserved key only while the reservation is still this one. */
  async keep(tx: Tx, { row }: KeyedRequest, answer: Answer, reservation: string | null = null): Promise<void> {
    await tx
      .updateTable('idempotencyKeys')
      .set({ answer: vault.seal(JSON.stringify(answer)), reservation: null })
      .where(({ and }) => and(row))
      .where(sql<boolean>`reservation is not distinct from ${reservation}`)
      .execute()
  },

  /** Gives a reservation back, as if the key had not been used. */
  async withdraw(tx: Tx, { row }: KeyedRequest, reservation: string): Promise<void> {
    await tx
      .deleteFrom('idempotencyKeys')
      .where(({ and }) => and(row))
      .where('reservation', '=', reservation)
      .execute()
  },
})

const firstAnswer = async (tx: Tx, vault: Vault, keyed: KeyedRequest): Promise<Answer> => {
  const { row, requestHash, earlierHashes } = keyed
  const first = await tx
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where(({ and }) => and(row))
    .executeTakeFirstOrThrow()
  if (first.requestHash !== requestHash && !earlierHashes.includes(first.requestHash)) {
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used before with another query or body.')
  }
  if (first.answer === null) {
    throw conflict('idempotency_key_in_use', 'A request with this Idempotency-Key is still running.')
  }
  const answer = JSON.parse(vault.open(first.answer)) as Answer
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
}

/** Removes keys past their time, or the one that is named. @returns how many. */
export const forgetOldKeys = async (db: Db, row: Partial<KeyedRequest['row']> = {}): Promise<number> => {
  const result = await db
    .deleteFrom('idempotencyKeys')
    .where(({ and }) => and(row))
    .where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${keptForHours})`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
