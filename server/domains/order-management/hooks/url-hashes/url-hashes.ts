import { keyedHash } from '#platform/auth/random-keys.ts'

/**
 * What a URL is stored as where it cannot be encrypted because it is looked for.
 * @param key of this purpose alone; without it a hash says nothing about its URL.
 */
export const urlHashes = (key: Buffer, url: string) => ({
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
