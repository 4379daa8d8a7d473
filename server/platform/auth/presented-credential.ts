/** What a request presents to prove who is calling. */
export type Presented =
  | { readonly kind: 'none' }
  /** Not a credential in any accepted place and form, or more than one. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'jwt'; readonly text: string }
  | { readonly kind: 'key'; readonly text: string }
  /** The login key in the cookie of a browser. */
  | { readonly kind: 'cookie'; readonly text: string }

/** token68 of RFC 9110, 11.2, and no longer than any token worth reading. */
const credential = /^[\w.~+/-]{1,8192}=*$/
const withScheme = /^(?:bearer|token|api-key) +(\S+)$/i
const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Finds the one credential of a request (contract, section 2): `Authorization` with the scheme
 * Bearer, Token or Api-Key (in any case) or with no scheme, and `x-access-token`. A JWT and a key
 * are told apart by their form, so each works in every place. The same credential may be presented
 * twice; two different ones are refused, because whichever was picked, a proxy or a log may have
 * picked the other. The cookie counts where there is neither header.
 * @param rawHeaders names and values in turn, as received: repeated headers are still apart.
 * @param cookieName absent where no cookie counts.
 */
export const presentedCredential = (rawHeaders: readonly string[], cookieName?: string): Presented => {
  const [text, ...others] = new Set(presentedTexts(rawHeaders))
  if (text === undefined) return cookieName === undefined ? { kind: 'none' } : presentedCookie(rawHeaders, cookieName)
  if (others.length > 0 || !credential.test(text)) return { kind: 'unusable' }
  return { kind: jwtForm.test(text) ? 'jwt' : 'key', text }
}

const presentedTexts = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.flatMap((header, index) => {
    const name = index % 2 === 0 ? header.toLowerCase() : ''
    const value = rawHeaders[index + 1]?.trim() ?? ''
    if (name === 'authorization') return [withScheme.exec(value)?.[1] ?? value]
    return name === 'x-access-token' ? [value] : []
  })

/** Nothing else is ever set. */
const loginKey = /^wbl_[\w-]{43}$/

const presentedCookie = (rawHeaders: readonly string[], cookieName: string): Presented => {
  const [text, ...others] = new Set(cookiesNamed(cookieName, rawHeaders))
  if (text === undefined) return { kind: 'none' }
  return others.length === 0 && loginKey.test(text) ? { kind: 'cookie', text } : { kind: 'unusable' }
}

const cookiesNamed = (cookieName: string, rawHeaders: readonly string[]): string[] =>
  rawHeaders
    .flatMap((header, index) =>
      index % 2 === 0 && header.toLowerCase() === 'cookie' ? [rawHeaders[index + 1] ?? ''] : [],
    )
    .flatMap((header) => header.split(';'))
    .map((pair) => /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair))
    .flatMap((pair) => (pair?.[1] === cookieName ? [pair[2] ?? ''] : []))
