import { isSameText } from '../crypto/digests.ts'
import { keyedHash } from './random-keys.ts'

interface SessionCookieDeps {
  /** Makes the tokens that show who sends a request. */
  readonly key: Buffer
  /** Keys whose tokens are still good, while SECRET_KEY is being changed. */
  readonly earlierKeys?: readonly Buffer[]
  /** Address that browsers reach this server at. */
  readonly publicUrl: string | undefined
}

/**
 * The cookie that a browser keeps a login key in, out of reach of scripts. A page of somebody else can make a browser send it,
 * so what changes something also needs a token, which only a page of our own can have read. No cookie is needed to make one:
 * it follows from the login key.
 */
export const makeSessionCookie = ({ key, earlierKeys = [], publicUrl = '' }: SessionCookieDeps) => {
  const isSecure = /^https:/i.test(publicUrl)
  // The prefix keeps other hosts of the same domain from setting it (RFC 6265bis, 4.1.3.2); browsers take it over TLS alone.
  const name = isSecure ? '__Host-waybill_session' : 'waybill_session'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    name,
    /** `Set-Cookie` for a login key. Without an end of its own: it goes with the browser, the key when it was not used for long. */
    setTo: (loginKey: string): string => `${name}=${loginKey}; ${attributes}`,
    /** `Set-Cookie` that removes it. */
    cleared: `${name}=; Max-Age=0; ${attributes}`,
    /** What requests with this login key in their cookie have to show. */
    csrfToken: (loginKey: string): string => keyedHash(key, loginKey),
    isCsrfToken: (loginKey: string, token: string): boolean =>
      [key, ...earlierKeys].some((each) => isSameText(keyedHash(each, loginKey), token)),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>
