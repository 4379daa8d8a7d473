import { cardFinders } from './card-numbers.ts'
import { keyFinders } from './known-keys.ts'
import { loginFinders } from './logins.ts'
import { type Replacement } from './replace-spans.ts'
import { finderOf, inner, mask, whereThereIs, type Finder } from './replacements.ts'
import { matchAt, newLine } from './value-ends.ts'

const schemes =
  /\b((?:Bearer|Basic|Token|JWT|Api-?Key|AUTH (?:PLAIN|LOGIN|XOAUTH2))(?:[ \t]+|%20|\+))([\w.~+/=%-]{6,}(?<!\/(?=[>&])))/giu
/** SMTP asks for the password in base64, and gets it in the next line. */
const afterPrompt = new RegExp(
  String.raw`(\b334 UGFzc3dvcmQ6[ \t]{0,8}${newLine}(?:(?:C|client):[ \t]{1,8})?)[\w+/=]{4,}`,
  'gu',
)
const word = /^(?:[A-Z]?[a-z]{1,23}|[A-Z]{1,12})$/u
const longRuns = /[\w.-]{20,}/gu
const privateKeys = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/gu

/** `Basic authentication` and `Token expired.` name a thing, and are none. */
const isOrdinaryWord = (value: string): boolean => word.test(value.replace(/[.=:%+/-]+$/u, ''))

const findPrivateKeys: Finder = (text) => {
  const found: Replacement[] = []
  for (let key = matchAt(privateKeys, text, 0); key !== null; key = matchAt(privateKeys, text, privateKeys.lastIndex)) {
    const start = privateKeys.lastIndex
    const close = text.indexOf('-----END', start)
    const end = close < 0 ? text.length : close
    found.push({ start, end, mask })
    privateKeys.lastIndex = end
  }
  return found
}

/** A JWT begins with `{"` in base64url, and has parts with dots between them. */
const findJwts = whereThereIs(
  ['eyJ'],
  finderOf(longRuns, (match) => {
    const start = match[0].indexOf('eyJ')
    return start >= 0 && match[0].includes('.', start) ? inner(match, start) : undefined
  }),
)

/** What is a secret by its own form: logins in URLs, `Bearer …` and `Basic …`, JWTs, keys with known beginnings, cards. */
export const looseFinders: readonly Finder[] = [
  findPrivateKeys,
  findJwts,
  ...keyFinders,
  finderOf(schemes, (match) => (isOrdinaryWord(match[2] ?? '') ? undefined : inner(match, match[1]?.length))),
  whereThereIs(
    ['334 UGFzc3dvcmQ6'],
    finderOf(afterPrompt, (match) => inner(match, match[1]?.length)),
  ),
  ...cardFinders,
  // At last: a login ends at a blank, and a card number may have some, but its mask has none.
  ...loginFinders,
]
