import { valueAfterName } from './entries.ts'
import { namedElementOf } from './elements.ts'
import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt, isSecretHeader } from './secret-names.ts'
import { rowOfTwo, wordsWithHyphens } from './tables.ts'
import { type Reading } from './tags.ts'
import { matchAt, newLine, quotes } from './value-ends.ts'
import { quotedValue, quoteAt, valueOf, type Name, type Place } from './values.ts'

/** What stands before and behind a name, each with its quote, and where the secret is then, from the end of that on. */
interface Form {
  readonly before: RegExp
  readonly after: RegExp
  readonly secretAt: (text: string, at: number, place: Place) => Replacement | undefined
}

const asPart = new RegExp(String.raw`[^\r\n\\]{0,200}(?:${newLine}[^\r\n\\]{1,200}){0,4}(?:\r?\n|\\r\\n|\\n){2}`, 'uy')

const asSecond = /\s*,\s*(?=[bru]{0,2}\\*["'])/iuy

const forms: readonly Form[] = [
  // {"name": "token", "value": "…"}, <meta name="csrf-token" content="…">
  {
    before: /$/u,
    after: /\s*,?\s*(?:\\*["'])?(?:val(?:ue)?|content)(?:\\*["'])?\s*(?:[:=]|=>)\s*/iuy,
    secretAt: valueOf,
  },
  // ("Cookie", "…"), and the first of a list of headers
  {
    before: /[[(]\s{0,8}\\*["']$/u,
    after: asSecond,
    secretAt: (text, at, place) => pairedAt(text, at, place) ?? headerAt(text, at, place),
  },
  // ["Host", "…", "X-Api-Key", "…"]
  { before: /,\s{0,8}\\*["']$/u, after: asSecond, secretAt: (...found) => headerAt(...found) },
  // "Authorization","…" in a line of its own
  {
    before: /(?:^|\n|\\n)\\*["']$/u,
    after: asSecond,
    secretAt: (text, at, place) => rowOfTwo(text, secondAt(text, at, place), place.name.word),
  },
  // s:8:"password";s:6:"…"; as PHP serializes
  { before: /\bs:\d{1,9}:\\*"$/u, after: /;s:\d{1,9}:\\*"/uy, secretAt: (...found) => serializedOf(...found) },
  // a part of a multipart form
  { before: new RegExp(`name=(?:${quotes})$`, 'iu'), after: asPart, secretAt: (text, at) => partOf(text, at) },
]

const quoteBefore = new RegExp(`(?:${quotes})$`, 'iu')
const beforePart = /;[ \t]*name=$/iu

/** What stands beside a name that has no sign behind it. */
export const pairOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const before = text.slice(Math.max(0, name.start - 24), name.start)
  const closing = quoteAt(text, name.end)
  if (closing === undefined) return unquotedPartOf(text, name, before)
  if (!quoteBefore.test(before)) return undefined
  const place: Place = { name, nameQuote: closing.quote, sign: ',' }
  const later = valueAfterName(text, name.end)
  if (later !== undefined) return valueBehind(text, later, place, reading)
  const form = forms.find((one) => one.before.test(before) && matchAt(one.after, text, closing.start) !== null)
  if (form === undefined) return namedElementOf(text, name, closing.start, reading)
  const at = form.after.lastIndex
  return isSecretAt(text, at, name.word) ? form.secretAt(text, at, place) : undefined
}

/** With what is secret in the members that stand between the two. */
const valueBehind = (text: string, at: number, place: Place, reading: Reading): Replacement | undefined => {
  const value = valueOf(text, at, place)
  const { end: start } = place.name
  return value && { ...value, start, mask: `${reading.maskTag(text.slice(start, value.start))}${value.mask}` }
}

const unquotedPartOf = (text: string, { end, word }: Name, before: string): Replacement | undefined => {
  if (!beforePart.test(before) || matchAt(asPart, text, end) === null) return undefined
  return isSecretAt(text, asPart.lastIndex, word) ? partOf(text, asPart.lastIndex) : undefined
}

const secondAt = (text: string, at: number, place: Place): Replacement | undefined => {
  const quoted = quoteAt(text, at)
  return quoted && quotedValue(text, quoted.start, quoted.quote, place)
}

const closesPair = /\\*["']?\s*[)\]]/uy

const pairedAt = (text: string, at: number, place: Place): Replacement | undefined => {
  const value = secondAt(text, at, place)
  return value !== undefined && matchAt(closesPair, text, value.end) !== null ? value : undefined
}

/** A list in which the name of a header stands may also be a list of such names. */
const headerAt = (text: string, at: number, place: Place): Replacement | undefined => {
  const { word } = place.name
  if (!isSecretHeader(word) && !word.includes('-')) return undefined
  const value = secondAt(text, at, place)
  return value !== undefined && !wordsWithHyphens.test(text.slice(value.start, value.end)) ? value : undefined
}

/** Quotes inside are not quoted: the length says where it ends, in bytes. */
const serializedOf = (text: string, start: number, { nameQuote = '' }: Place): Replacement | undefined => {
  const end = text.indexOf(`${nameQuote};`, start)
  return end === start ? undefined : { start, end: end < 0 ? text.length : end, mask }
}

const partEnd = new RegExp(`${newLine}--`, 'gu')

const partOf = (text: string, start: number): Replacement => ({
  start,
  end: matchAt(partEnd, text, start)?.index ?? text.length,
  mask,
})
