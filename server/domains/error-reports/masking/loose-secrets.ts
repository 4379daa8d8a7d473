import { cardFinders } from './card-numbers.ts'
import { keyFinders } from './known-keys.ts'
import { loginFinders } from './logins.ts'
import { finderOf, inner, mask, whereThereIs, type Finder, type Replacement } from './replacements.ts'
import { matchAt } from './value-ends.ts'

const schemes = /\b((?:Bearer|Basic|Token|JWT|Api-?Key)(?:[ \t]+|%20|\+))([\w.~+/=%-]{6,}(?<!\/(?=>)))/giu
const word = /^(?:[A-Z]?[a-z]{1,23}|[A-Z]{1,12})$/u
const longRuns = /[\w.-]{20,}/gu
const privateKeys = /-----BEGIN [A-Z ]*PRIVATE KEY-----/gu

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
  ...cardFinders,
  // At last: a login ends at a blank, and a card number may have some, but its mask has none.
  ...loginFinders,
]
