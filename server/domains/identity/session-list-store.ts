import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Client } from '#platform/auth/client.ts'
import { sessionOf, type SessionRef } from './session-id.ts'

/** A login that goes on, by key or by tokens. */
export interface SessionRow extends Client {
  /** See session-id.ts. */
  readonly id: number
  readonly kind: SessionRef['kind']
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date
}

export const sessionList = defineList({
  orderings: { id: 'id', created_at: 'createdAt' },
  defaultOrdering: '-created_at',
  filters: { created_at: time('createdAt', 'Logged in') },
})

const shared = ['createdAt', 'lastUsedAt', 'address', 'userAgent'] as const

/** The sessions of a person that have not ended. API keys are none: programs hold them. */
export const listSessions = (db: Db, query: Page, userId: number, now: Date): Promise<Rows<SessionRow>> => {
  const keys = db
    .selectFrom('accessKeys')
    .select([sql<number>`id * 2`.as('id'), sql<SessionRef['kind']>`'key'`.as('kind'), ...shared])
    // A login key always ends.
    .select(sql<Date>`expires_at`.as('expiresAt'))
    .where('userId', '=', userId)
    .where('kind', '=', 'login')
    .where('expiresAt', '>', now)
  const tokens = db
    .selectFrom('tokenFamilies')
    .select([sql<number>`id * 2 + 1`.as('id'), sql<SessionRef['kind']>`'token'`.as('kind'), ...shared, 'expiresAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
  const columns = ['id', 'kind', ...shared, 'expiresAt'] as const
  return readList(db, sessionList, query, db.selectFrom(keys.unionAll(tokens).as('sessions')).select(columns))
}

/**
 * Ends one session: its key, or its access tokens and refresh token, are worth nothing from now on. Who refreshes it at this
 * moment holds its row, so it goes with the token that they get; who comes later finds none.
 * @returns false when the person has no such session.
 */
export const endSession = async (tx: Tx, userId: number, sessionId: number, now: Date): Promise<boolean> => {
  const { kind, id } = sessionOf(sessionId)
  const query =
    kind === 'key'
      ? sql`delete from access_keys where kind = 'login' and id = ${id} and user_id = ${userId} and expires_at > ${now} returning id`
      : sql`delete from token_families where id = ${id} and user_id = ${userId} and expires_at > ${now} returning id`
  return (await query.execute(tx)).rows.length > 0
}
