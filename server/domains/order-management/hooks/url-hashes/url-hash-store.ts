import type { Db } from '#platform/db/database.ts'
import { isUniqueViolation } from '#platform/db/sql-errors.ts'
import type { UrlHashes } from './url-hashes.ts'

/** A hook, removed ones included, with the hashes of its URL. */
export interface HashedHook extends UrlHashes {
  readonly id: number
}

/** Up to `limit` hooks whose ids come after this one, in the order of their ids. */
export const hashesAfter = (db: Db, after: number, limit: number): Promise<HashedHook[]> =>
  db
    .selectFrom('hooks')
    .select(['subscriptionId as id', 'urlHash', 'foldedUrlHash'])
    .where('subscriptionId', '>', after)
    .orderBy('subscriptionId')
    .limit(limit)
    .execute()

/**
 * Puts other hashes in place of those that were read, unless somebody else has changed them meanwhile.
 * @returns 'second' when the owner has another hook for this event and URL: then its URL can be found, and the index is not told.
 */
export const replaceHashes = async (
  db: Db,
  { id, urlHash }: HashedHook,
  hashes: UrlHashes,
): Promise<'replaced' | 'changed meanwhile' | 'second'> => {
  const set = async (columns: Partial<UrlHashes>): Promise<boolean> => {
    const result = await db
      .updateTable('hooks')
      .set(columns)
      .where('subscriptionId', '=', id)
      .where('urlHash', '=', urlHash)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }
  try {
    return (await set(hashes)) ? 'replaced' : 'changed meanwhile'
  } catch (error) {
    if (!isUniqueViolation(error, 'hooks_once')) throw error
    await set({ foldedUrlHash: hashes.foldedUrlHash })
    return 'second'
  }
}
