import { elementOf, elementWithKey, namedByElement } from './elements.ts'
import { isKeyOfEntry, valueBeforeName } from './entries.ts'
import { pairOf } from './pairs.ts'
import { dumpedOf } from './php-dumps.ts'
import { type Replacement, replaceSpans } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt, secretName } from './secret-names.ts'
import { tabbedOf } from './tables.ts'
import { type Reading } from './tags.ts'
import { matchAt, quotedEnd, quotes } from './value-ends.ts'
import { isOrdinary, maskIn, quoteAt, valueOf, type Name } from './values.ts'

const words = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.$-]*/gu

/**
 * Finds what has the name of a secret: members of JSON and of Python dictionaries (also inside texts, at any depth),
 * form fields, query parameters, header lines, pairs, XML elements and attributes, parts of forms.
 *
 * One pass from left to right: after a secret it goes on behind it, so no part of the text is read more than a few
 * times. When the end of a secret is not to be found, as in a text that was cut, the rest is masked.
 * @param isCut this is only the beginning of the text, so what has no end here may have one there.
 */
export const findNamed = (text: string, isCut: boolean): readonly Replacement[] => {
  const reading: Reading = { left: 4 * text.length, isCut, maskTag }
  const found: Replacement[] = []
  for (let word = matchAt(words, text, 0); word !== null; word = matchAt(words, text, words.lastIndex)) {
    const start = word.index
    const end = words.lastIndex
    const kind = secretName(word[0])
    const secret = kind
      ? secretOf(text, { start, end, word: word[0], kind }, reading)
      : (valueOfEntry(text, end, word[0]) ?? namedByElement(text, { start, end, word: word[0] }, reading))
    if (secret !== undefined) found.push(secret)
    words.lastIndex = secret?.end ?? end
  }
  return found
}

/** A tag does not go on: what is cut is the text in which it stands. */
const maskTag = (tag: string): string => replaceSpans(tag, findNamed(tag, false))

const isValue = /^(?:val(?:ue)?|content)$/iu

/** What comes before its name: `{"value": "…", "name": "token"}`. */
const valueOfEntry = (text: string, end: number, word: string): Replacement | undefined => {
  const found = isValue.test(word) ? valueBeforeName(text, end) : undefined
  if (found === undefined || found.start === found.end) return undefined
  const value = text.slice(found.start, found.end)
  if (secretName(found.name) === 'weak' && isOrdinary(value)) return undefined
  const quote = text[found.start - 1] === ' ' || text[found.start - 1] === ':' ? '"' : ''
  return { ...found, mask: maskIn(quote, text, found.end) }
}

const blank = '(?:[ \\t\u00A0]|&nbsp;)'
const separator = new RegExp(
  String.raw`((?:[[\]]|%5[BD])*)(?:(${quotes})\]?)?${blank}*(:(?!\/\/)|：|[=＝]{1,3}>?|%(?:25){0,4}3[AD])`,
  'iuy',
)
const blanks = /\s*/uy
const blanksOfLine = new RegExp(`${blank}*`, 'iuy')

const secretOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const dumped = dumpedOf(text, name)
  if (dumped !== undefined) return dumped.secret
  const found = matchAt(separator, text, name.end)
  if (found === null) return withoutSign(text, name, reading)
  const [, , nameQuote, sign = ''] = found
  const next = matchAt(nameQuote === undefined ? blanksOfLine : blanks, text, separator.lastIndex)
  const at = separator.lastIndex + (next?.[0].length ?? 0)
  if (isKey.test(name.word)) {
    if (isKeyOfEntry(text, name.end)) return undefined
    const element = elementWithKey(text, name, at, reading)
    if (element !== undefined) return element.secret
  }
  return valueOf(text, at, { name, nameQuote, sign: sign.normalize('NFKC').toUpperCase() })
}

const withoutSign = (text: string, name: Name, reading: Reading): Replacement | undefined =>
  elementOf(text, name, reading) ?? pairOf(text, name, reading) ?? tabbedOf(text, name) ?? optionOf(text, name)

const isKey = /^key$/iu

const beforeOption = /(?:^|[\s"'`(])--$/u
const afterOption = /[ \t]{1,8}(?!-)/uy
const plainWord = /[^\s"'\\<>]+/uy

/** What follows the name of an option: `--password "…"`. Words without quotes may be a sentence about it. */
const optionOf = (text: string, { start, end, word }: Name): Replacement | undefined => {
  if (!beforeOption.test(text.slice(Math.max(0, start - 3), start)) || matchAt(afterOption, text, end) === null)
    return undefined
  const at = afterOption.lastIndex
  if (!isSecretAt(text, at, word)) return undefined
  const quoted = quoteAt(text, at)
  if (quoted !== undefined) return { start: quoted.start, end: quotedEnd(text, quoted.start, quoted.quote), mask }
  const value = matchAt(plainWord, text, at)?.[0]
  return value === undefined || isOrdinary(value) ? undefined : { start: at, end: at + value.length, mask }
}
