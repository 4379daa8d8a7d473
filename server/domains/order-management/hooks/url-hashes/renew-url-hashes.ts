import type { Db } from '#platform/db/database.ts'
import { urlHashes } from './url-hashes.ts'
import { hashesAfter, replaceHashes } from './url-hash-store.ts'

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
  let hooks = await hashesAfter(db, 0, batchSize)
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
    hooks = await hashesAfter(db, hooks.at(-1)?.id ?? 0, batchSize)
  }
  return { renewed, seconds }
}
