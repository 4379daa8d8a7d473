import type { Db, Tx } from '#platform/db/database.ts'

interface PasswordLink {
  readonly tokenHash: string
  readonly userId: number
  readonly purpose: 'reset' | 'invite'
  readonly createdAt: Date
  readonly expiresAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    passwordLinks: PasswordLink
  }
}

export const insertLink = async (tx: Tx, link: PasswordLink): Promise<void> => {
  await tx.insertInto('passwordLinks').values(link).execute()
}

/** Whose link it is, if it is good. */
export const findLinkOwner = async (db: Db, tokenHash: string, now: Date): Promise<number | undefined> => {
  const query = db.selectFrom('passwordLinks').select('userId').where('tokenHash', '=', tokenHash)
  return (await query.where('expiresAt', '>', now).executeTakeFirst())?.userId
}

/** Uses the link up. The caller holds its owner. @returns false when it is not good, or not any more. */
export const useLink = async (tx: Tx, tokenHash: string, now: Date): Promise<boolean> => {
  const query = tx.deleteFrom('passwordLinks').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now)
  return (await query.returning('userId').executeTakeFirst()) !== undefined
}

/** How many links the person was sent since then. */
export const countLinks = async (tx: Tx, userId: number, since: Date): Promise<number> => {
  const query = tx.selectFrom('passwordLinks').select('tokenHash').where('userId', '=', userId)
  return (await query.where('createdAt', '>', since).execute()).length
}

export const deleteLinksOf = async (tx: Tx, userId: number): Promise<void> => {
  await tx.deleteFrom('passwordLinks').where('userId', '=', userId).execute()
}

export const forgetLinks = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('passwordLinks').where('expiresAt', '<=', now).execute()
}
