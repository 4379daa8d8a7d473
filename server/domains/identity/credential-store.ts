import { sql, type ColumnType, type Generated, type Selectable } from 'kysely'
import type { Scope } from '#platform/auth/principal.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Client } from '#platform/auth/client.ts'
import { deleteLinksOf, forgetLinks } from './password-link-store.ts'
import type { User } from './user.ts'
import { userColumns } from './user-store.ts'

interface AccessKeysTable extends Record<keyof Client, Generated<string>> {
  id: Generated<number>
  userId: number
  kind: 'login' | 'api'
  name: string
  prefix: string
  keyHash: string
  scopes: ColumnType<readonly Scope[] | null, string | null, string | null>
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    accessKeys: AccessKeysTable
    refusedTokens: { tokenHash: string; expiresAt: Date }
  }
}

/** `scopes` is null: all rights of the user. */
export type AccessKey = Readonly<Omit<Selectable<AccessKeysTable>, 'keyHash' | keyof Client>>

const keyColumns = [
  'accessKeys.id',
  'accessKeys.userId',
  'accessKeys.kind',
  'accessKeys.name',
  'accessKeys.prefix',
  'accessKeys.scopes',
  'accessKeys.createdAt',
  'accessKeys.expiresAt',
  'accessKeys.lastUsedAt',
] as const

/** A key, and whose it is. */
export interface KeyAndUser {
  readonly key: AccessKey
  readonly user: User
}

/** The valid key with this hash and its active owner. */
export const findKeyAndUser = async (db: Db, keyHash: string, now: Date): Promise<KeyAndUser | undefined> => {
  const row = await db
    .selectFrom('accessKeys')
    .innerJoin('users', 'users.id', 'accessKeys.userId')
    .select(userColumns)
    .select([
      'accessKeys.id as keyId',
      'accessKeys.kind as keyKind',
      'accessKeys.name as keyName',
      'accessKeys.prefix',
      'accessKeys.scopes',
      'accessKeys.createdAt as keyCreatedAt',
      'accessKeys.expiresAt',
      'accessKeys.lastUsedAt',
    ])
    .where('accessKeys.keyHash', '=', keyHash)
    .where('users.isActive', '=', sql.lit(true))
    .where(sql<boolean>`(access_keys.expires_at is null or access_keys.expires_at > ${now})`)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { keyId, keyKind, keyName, prefix, scopes, keyCreatedAt, expiresAt, lastUsedAt, ...user } = row
  const key = { id: keyId, kind: keyKind, name: keyName, createdAt: keyCreatedAt, userId: user.id }
  return { key: { ...key, prefix, scopes, expiresAt, lastUsedAt }, user }
}

/** Notes a use of the key, unless another request has noted one since `before`. */
export const noteUse = async (
  db: Db,
  id: number,
  use: { at: Date; before: Date; expiresAt: Date | null },
): Promise<void> => {
  await db
    .updateTable('accessKeys')
    .set({ lastUsedAt: use.at, expiresAt: use.expiresAt })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', use.before)]))
    .execute()
}

export type NewAccessKey = Omit<AccessKey, 'id' | 'lastUsedAt'> & { readonly keyHash: string } & Partial<Client>

export const insertKey = (tx: Tx, key: NewAccessKey): Promise<AccessKey> =>
  tx
    .insertInto('accessKeys')
    .values({ ...key, scopes: key.scopes === null ? null : JSON.stringify(key.scopes), lastUsedAt: null })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()

export const apiKeyList = defineList({
  filters: {
    created_at: time('createdAt', 'Made'),
  },
})

export const listApiKeys = (db: Db, query: Page, userId: number): Promise<Rows<AccessKey>> =>
  readList(
    db,
    apiKeyList,
    query,
    db.selectFrom('accessKeys').select(keyColumns).where('userId', '=', userId).where('kind', '=', 'api'),
  )

/** @returns false when the person has no such API key. */
export const deleteApiKey = async (tx: Tx, userId: number, id: number): Promise<boolean> => {
  const query = tx.deleteFrom('accessKeys').where('id', '=', id).where('userId', '=', userId).where('kind', '=', 'api')
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export const deleteKey = async (tx: Tx, id: number): Promise<void> => {
  await tx.deleteFrom('accessKeys').where('id', '=', id).execute()
}

/** Revokes every key, session and link of the person, and every one that is being made at this moment. The caller holds the person. */
export const revokeAll = async (tx: Tx, userId: number): Promise<void> => {
  await raiseVersion(tx, userId)
  await deleteLinksOf(tx, userId)
  await tx.deleteFrom('accessKeys').where('userId', '=', userId).execute()
  await tx.deleteFrom('tokenFamilies').where('userId', '=', userId).execute()
}

/** Revokes the logins and links of the person; API keys stay. See `revokeSessions`. */
export const revokeLogins = async (tx: Tx, userId: number, kept?: Kept): Promise<void> => {
  await deleteLinksOf(tx, userId)
  await revokeSessions(tx, userId, kept)
}

/**
 * Revokes the logins of the person, also those that are being made at this moment; API keys stay. The caller holds the person.
 * @param kept the login that goes on, if any.
 */
export const revokeSessions = async (tx: Tx, userId: number, kept?: Kept): Promise<void> => {
  await raiseVersion(tx, userId)
  const keys = tx.deleteFrom('accessKeys').where('userId', '=', userId).where('kind', '=', 'login')
  await (kept?.kind === 'key' ? keys.where('id', '!=', kept.id) : keys).execute()
  const sessions = tx.deleteFrom('tokenFamilies').where('userId', '=', userId)
  await (kept?.kind === 'session' ? sessions.where('id', '!=', kept.id) : sessions).execute()
}
type Kept = { readonly kind: 'key' | 'session'; readonly id: number } | { readonly kind: 'outside' }

/** A login whose password was checked before this is worth nothing. */
const raiseVersion = async (tx: Tx, userId: number): Promise<void> => {
  await tx
    .updateTable('users')
    .set(({ eb }) => ({ credentialsVersion: eb('credentialsVersion', '+', 1) }))
    .where('id', '=', userId)
    .execute()
}

/** Logs an outside token out. It is remembered until it would have ended anyway. */
export const refuseToken = async (tx: Tx, tokenHash: string, expiresAt: Date): Promise<void> => {
  await tx
    .insertInto('refusedTokens')
    .values({ tokenHash, expiresAt })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export const isRefused = async (db: Db, tokenHash: string): Promise<boolean> =>
  (await db.selectFrom('refusedTokens').select('tokenHash').where('tokenHash', '=', tokenHash).executeTakeFirst()) !==
  undefined

/** Removes what ended before `now`. */
export const forgetExpired = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('accessKeys').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('tokenFamilies').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('refusedTokens').where('expiresAt', '<=', now).execute()
  await forgetLinks(db, now)
}
