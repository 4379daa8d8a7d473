import { keyedHash } from '#platform/auth/random-keys.ts'

/** What URL parsers accept but drop or rewrite, so that what is shown would not be what is called. */
const rewritten = /[\u0000-\u0020\u007f\\]/

const longest = 2_048

/**
 * Why a URL cannot be called; undefined when it can (contract, section 3, for every receiver).
 * @param checkUrl what else speaks against it, such as a literal private address.
 */
export const urlProblem = (text: string, checkUrl: (url: string) => string | undefined): string | undefined => {
  if ([...text].length > longest) return `Use at most ${longest} characters.`
  if (rewritten.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'Expected an http or https URL, such as https://example.com/hooks.'
  }
  if (/[^ -~]/.test(text))
    return 'Use ASCII characters: percent-encode the others, and write a host in punycode (xn--…).'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return 'A user name or password in the URL is not allowed; use config.auth.'
  }
  if (text.includes('#')) return 'A fragment (#…) is never sent, so it is not allowed.'
  return checkUrl(text)
}

/** Scheme, host and port: what a credential is given to. */
export const originOf = (url: string): string => new URL(url).origin

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
