import { keyedHash } from '#platform/auth/random-keys.ts'
import type { Db } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'

/**
 * What a URL is stored as where it cannot be encrypted because it is looked for.
 * @param key of this purpose alone; without it a hash says nothing about its URL.
 */
const urlHashes = (key: Buffer, url: string) => ({
  urlHash: keyedHash(key, url),
  foldedUrlHash: keyedHash(key, url.toLowerCase()),
})
export type UrlHashes = ReturnType<typeof urlHashes>

/** The keys of those hashes. What is stored may be hashed with an earlier one while SECRET_KEY is being changed. */
export interface UrlKeys {
  readonly urlKey: Buffer
  readonly earlierUrlKeys?: readonly Buffer[] | undefined
}

/** The hashes of a URL with every key there is, the present one first. */
export const allUrlHashes = (
  { urlKey, earlierUrlKeys = [] }: UrlKeys,
  url: string,
): readonly [UrlHashes, ...UrlHashes[]] => [urlHashes(urlKey, url), ...earlierUrlKeys.map((key) => urlHashes(key, url))]

export interface RenewUrlHashesDeps {
  readonly db: Db
  /** The key that hashes are to be made with. */
  readonly urlKey: Buffer
  /** The URLs of these subscriptions, ended ones included; without those that cannot be read. */
  readonly urlsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
}

const batchSize = 500

/**
 * Makes the hashes of all URLs again, for another key. May be repeated, and run beside servers that have that key: a
 * hook that changes meanwhile gets the right hashes from whoever changes it.
 * @returns how many had others; and the hooks that are a second one of their owner for the same event and URL, which
 *   can only be found by their URL and not be told apart from the first.
 */
export const renewUrlHashes = async ({
  db,
  urlKey,
  urlsOf,
}: RenewUrlHashesDeps): Promise<{ renewed: number; seconds: readonly number[] }> => {
  const seconds: number[] = []
  let renewed = 0
  let hooks = await hashesAfter(db, 0)
  while (hooks.length > 0) {
    const urls = await urlsOf(hooks.map(({ id }) => id))
    for (const hook of hooks) {
      const url = urls.get(hook.id)
      const hashes = url === undefined ? hook : urlHashes(urlKey, url)
      if (hashes.urlHash === hook.urlHash) continue
      const outcome = await replaceHashes(db, hook, hashes)
      if (outcome === 'replaced') renewed += 1
      if (outcome === 'second') seconds.push(hook.id)
    }
    hooks = await hashesAfter(db, hooks.at(-1)?.id ?? 0)
  }
  return { renewed, seconds }
}

interface HashedHook extends UrlHashes {
  readonly id: number
}

/** A batch of hooks, removed ones included, whose ids come after this one, in the order of their ids. */
const hashesAfter = (db: Db, after: number): Promise<HashedHook[]> =>
  db
    .selectFrom('hooks')
    .select(['subscriptionId as id', 'urlHash', 'foldedUrlHash'])
    .where('subscriptionId', '>', after)
    .orderBy('subscriptionId')
    .limit(batchSize)
    .execute()

/**
 * Puts other hashes in place of those that were read, unless somebody else has changed them meanwhile.
 * @returns 'second' when the owner has another hook for this event and URL: its URL can be found, and the unique index stays as it was.
 */
const replaceHashes = async (
  db: Db,
  { id, urlHash }: HashedHook,
  { urlHash: renewed, foldedUrlHash }: UrlHashes,
): Promise<'replaced' | 'changed meanwhile' | 'second'> => {
  const set = async (columns: Partial<UrlHashes>): Promise<boolean> => {
    const change = db.updateTable('hooks').set(columns).where('subscriptionId', '=', id).where('urlHash', '=', urlHash)
    return (await change.executeTakeFirst()).numUpdatedRows > 0n
  }
  const isReplaced = await unlessTaken(set({ urlHash: renewed, foldedUrlHash }), 'hooks_once')
  if (isReplaced !== 'taken') return isReplaced ? 'replaced' : 'changed meanwhile'
  await set({ foldedUrlHash })
  return 'second'
}
