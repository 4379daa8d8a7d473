import type { Generated, Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Client } from '#platform/auth/client.ts'
import type { User } from './user.ts'
import { userColumns } from './user-store.ts'

interface TokenFamiliesTable extends Record<keyof Client, Generated<string>> {
  id: Generated<number>
  userId: number
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Generated<Date | null>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    tokenFamilies: TokenFamiliesTable
    refreshTokens: { tokenHash: string; familyId: number; createdAt: Date; usedAt: Date | null }
  }
}

/** One login for access tokens and all refresh tokens that descend from it. */
type Session = Readonly<Pick<Selectable<TokenFamiliesTable>, 'id' | 'userId' | 'createdAt' | 'expiresAt'>>

const sessionColumns = [
  'tokenFamilies.id',
  'tokenFamilies.userId',
  'tokenFamilies.createdAt',
  'tokenFamilies.expiresAt',
] as const

export const insertSession = (tx: Tx, session: Omit<Session, 'id'> & Client): Promise<Session> =>
  tx.insertInto('tokenFamilies').values(session).returning(sessionColumns).executeTakeFirstOrThrow()

export const extendSession = async (tx: Tx, id: number, use: { at: Date; expiresAt: Date }): Promise<void> => {
  await tx
    .updateTable('tokenFamilies')
    .set({ expiresAt: use.expiresAt, lastUsedAt: use.at })
    .where('id', '=', id)
    .execute()
}

/** Ends the session: its access and refresh tokens are worth nothing from now on. */
export const deleteSession = async (tx: Tx, id: number): Promise<void> => {
  await tx.deleteFrom('tokenFamilies').where('id', '=', id).execute()
}

export const insertRefreshToken = async (
  tx: Tx,
  token: { tokenHash: string; familyId: number; createdAt: Date },
): Promise<void> => {
  await tx
    .insertInto('refreshTokens')
    .values({ ...token, usedAt: null })
    .execute()
}

/** The session of a refresh token, used or not, held until the transaction ends. */
export const lockSessionOf = (tx: Tx, tokenHash: string): Promise<Session | undefined> =>
  tx
    .selectFrom('tokenFamilies')
    .innerJoin('refreshTokens', 'refreshTokens.familyId', 'tokenFamilies.id')
    .select(sessionColumns)
    .where('refreshTokens.tokenHash', '=', tokenHash)
    .forUpdate('tokenFamilies')
    .executeTakeFirst()

/** Uses the token up. @returns false when it was used before. */
export const useRefreshToken = async (tx: Tx, tokenHash: string, now: Date): Promise<boolean> => {
  const query = tx
    .updateTable('refreshTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
  return (await query.returning('tokenHash').executeTakeFirst()) !== undefined
}

/** Notes a use of one of its access tokens, unless another request has noted one since `before`. Only a refresh prolongs it. */
export const noteSessionUse = async (db: Db, id: number, use: { at: Date; before: Date }): Promise<void> => {
  await db
    .updateTable('tokenFamilies')
    .set({ lastUsedAt: use.at })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', use.before)]))
    .execute()
}

/** The active owner of a session that has not ended, and when it was last used. */
export const findSessionUser = async (
  db: Db,
  session: { id: number; userId: number },
  now: Date,
): Promise<{ readonly user: User; readonly lastUsedAt: Date | null } | undefined> => {
  const row = await db
    .selectFrom('tokenFamilies')
    .innerJoin('users', 'users.id', 'tokenFamilies.userId')
    .select(userColumns)
    .select('tokenFamilies.lastUsedAt')
    .where('tokenFamilies.id', '=', session.id)
    .where('tokenFamilies.userId', '=', session.userId)
    .where('tokenFamilies.expiresAt', '>', now)
    .where('users.isActive', '=', true)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { lastUsedAt, ...user } = row
  return { user, lastUsedAt }
}
