/** What URL parsers accept but drop or rewrite, so that what is shown would not be what is called. */
const rewritten = /[\u0000-\u0020\u007f\\]/

const maxCharacters = 2_048

/** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
export type CheckUrl = (url: string) => string | undefined

/**
 * Why a URL cannot be called; undefined when it can (contract, section 3, for every receiver).
 */
export const urlProblem = (text: string, checkUrl: CheckUrl): string | undefined => {
  if ([...text].length > maxCharacters) return `Use at most ${maxCharacters} characters.`
  if (rewritten.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'Expected an http or https URL, such as https://example.com/hooks.'
  }
  if (/[^ -~]/.test(text))
    return 'Use ASCII characters: percent-encode the others, and write a host in punycode (xn--…).'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return 'A user name or password in the URL is not allowed; send it in a header.'
  }
  if (text.includes('#')) return 'A fragment (#…) is never sent, so it is not allowed.'
  return checkUrl(text)
}

/** Scheme, host and port: what a credential is given to. */
export const originOf = (url: string): string => new URL(url).origin
