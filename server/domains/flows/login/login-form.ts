import { textProblem } from '#platform/http/json-body.ts'

/** What a login form says; a parameter that is missing, or cannot be told, is left out. */
export interface LoginForm {
  readonly username?: string
  readonly password?: string
}

/**
 * Reads `application/x-www-form-urlencoded` (WHATWG URL, 5.1), strictly where guessing would try another password than
 * was meant: a parameter that comes twice, has a broken percent-encoding, is not UTF-8 or holds a NUL is not there.
 * Other parameters are not looked at.
 */
export const readLoginForm = (body: Buffer): LoginForm => {
  const pairs = body
    .toString('latin1')
    .split('&')
    .map((pair) => {
      const [name = '', value] = pair.split(/=(.*)/s, 2)
      return { name: bytesOf(name), value }
    })
  const valueOf = (wanted: string): string | undefined => {
    const [found, ...others] = pairs.filter(({ name }) => name === wanted)
    return others.length > 0 || found?.value === undefined ? undefined : textOf(found.value)
  }
  const [username, password] = [valueOf('username'), valueOf('password')]
  return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) }
}

/** What an encoded text stands for, a character for each byte; undefined when its encoding is broken. */
const bytesOf = (encoded: string): string | undefined =>
  /%(?![\da-f]{2})/i.test(encoded)
    ? undefined
    : encoded
        .replaceAll('+', ' ')
        .replaceAll(/%(..)/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))

/** A byte order mark is a character like others: a password can begin with it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @returns undefined when it stands for no text that can be stored. */
const textOf = (encoded: string): string | undefined => {
  const bytes = bytesOf(encoded)
  if (bytes === undefined) return undefined
  try {
    const text = utf8.decode(Buffer.from(bytes, 'latin1'))
    return textProblem(text) === undefined ? text : undefined
  } catch {
    return undefined
  }
}
