import { bareValueAt } from './bare-values.ts'
import { isKeyOfEntry, valueAfterName, valueBeforeName } from './entries.ts'
import { propertyOf } from './property-lists.ts'
import { mask, replaceSpans, type Replacement } from './replacements.ts'
import { secretName, type SecretName } from './secret-names.ts'
import { containerEnd, elementEnd, matchAt, quotedEnd, type Span } from './value-ends.ts'

/** A name in a text, and how it stands there. */
interface Name extends Span {
  readonly word: string
  readonly kind: Exclude<SecretName, undefined>
}

const words = /[\p{L}\p{N}_][\p{L}\p{N}_.$-]*/gu

/**
 * Finds what has the name of a secret: members of JSON and of Python dictionaries (also inside texts, at any depth),
 * form fields, query parameters, header lines, pairs, XML elements and attributes, parts of forms.
 *
 * One pass from left to right: after a secret it goes on behind it, so no part of the text is read more than a few
 * times. When the end of a secret is not to be found, as in a text that was cut, the rest is masked.
 * @param isCut this is only the beginning of the text, so what has no end here may have one there.
 */
export const findNamed = (text: string, isCut: boolean): readonly Replacement[] => {
  const reading = { left: 4 * text.length, isCut }
  const found: Replacement[] = []
  for (let word = matchAt(words, text, 0); word !== null; word = matchAt(words, text, words.lastIndex)) {
    const start = word.index
    const end = words.lastIndex
    const kind = secretName(word[0])
    const secret = kind
      ? secretOf(text, { start, end, word: word[0], kind }, reading)
      : valueOfEntry(text, end, word[0])
    if (secret !== undefined) found.push(secret)
    words.lastIndex = secret?.end ?? end
  }
  return found
}

/** How far the text has been read ahead to find ends, and whether it goes on behind its end. */
interface Reading {
  left: number
  readonly isCut: boolean
}

const isValue = /^val(?:ue)?$/iu

/** What comes before its name: `{"value": "…", "name": "token"}`. */
const valueOfEntry = (text: string, end: number, word: string): Replacement | undefined => {
  const found = isValue.test(word) ? valueBeforeName(text, end) : undefined
  if (found === undefined || found.start === found.end) return undefined
  const value = text.slice(found.start, found.end)
  if (secretName(found.name) === 'weak' && isOrdinary(value)) return undefined
  const quote = text[found.start - 1] === ' ' || text[found.start - 1] === ':' ? '"' : ''
  return { ...found, mask: maskIn(quote, text, found.end) }
}

const quoteAt = /\\*["']/uy

/** In quotes, as the names beside it are. Where a quote follows, two of them would be one inside the text. */
const maskIn = (quote: string, text: string, end: number): string =>
  matchAt(quoteAt, text, end) === null ? quote + mask + quote : mask

/** Quotes as they are, quoted themselves, and written as entities or percent codes. */
const quotes = String.raw`\\*["']|&quot;|&apos;|&#3[49];|%2[27]`
const separator = new RegExp(
  String.raw`((?:[[\]]|%5[BD])*)(${quotes})?([ \t]*)(:(?!\/\/)|={1,3}>?|%3[AD]|%253[AD])`,
  'iuy',
)
const blanks = /\s*/uy
const blanksOfLine = /[ \t]*/uy

const secretOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const found = matchAt(separator, text, name.end)
  if (found === null) return elementOf(text, name, reading) ?? pairOf(text, name, reading) ?? optionOf(text, name)
  if (isKey.test(name.word) && isKeyOfEntry(text, name.end)) return undefined
  const [, , nameQuote, , sign = ''] = found
  const next = matchAt(nameQuote === undefined ? blanksOfLine : blanks, text, separator.lastIndex)
  const at = separator.lastIndex + (next?.[0].length ?? 0)
  return valueOf(text, at, { name, nameQuote, sign: sign.toUpperCase() })
}

const isKey = /^key$/iu

interface Place {
  readonly name: Name
  /** The quote that closes the name, when one does. */
  readonly nameQuote: string | undefined
  readonly sign: string
}

const opening = new RegExp(String.raw`(?:[bru]{1,2}(?=["'\\]))?(${quotes})`, 'iuy')
const closing = /\s*(?:[,}\])>]|$)/uy
const nothing = /(?:null|none|true|false|undefined)\b|\*{3}/iuy

const valueOf = (text: string, at: number, place: Place): Replacement | undefined => {
  if (matchAt(nothing, text, at) !== null) return undefined
  const quote = matchAt(opening, text, at)?.[1]
  if (quote !== undefined) return quotedValue(text, opening.lastIndex, quote, place)
  if ('{[('.includes(text[at] ?? ' ')) {
    const written = place.nameQuote ?? '"'
    const end = containerEnd(text, at, Math.max(0, written.length - 1))
    return end - at <= 2 ? undefined : { start: at, end, mask: maskIn(written, text, end) }
  }
  return bareValue(text, at, place)
}

const quotedValue = (text: string, start: number, quote: string, place: Place): Replacement | undefined => {
  // A quote after a name that has none may be the end of the text in which the name stands.
  if (place.nameQuote === undefined && matchAt(closing, text, start) !== null) return undefined
  const end = quotedEnd(text, start, quote)
  return end === start ? undefined : { start, end, mask }
}

const bareValue = (text: string, at: number, place: Place): Replacement | undefined => {
  const found = bareValueAt(text, at, place)
  if (found === undefined || found === '') return undefined
  if (place.name.kind === 'weak' && place.sign === ':' && place.nameQuote === undefined && isOrdinary(found))
    return undefined
  const end = at + found.length
  return { start: at, end, mask: maskIn(place.nameQuote ?? '', text, end) }
}

/** `missing key: barcode` tells something else than `key: 8f3b01c2`. What is masked in it already does not count. */
const isOrdinary = (value: string): boolean => value.replaceAll(mask, '').length < 16 && !/\d/u.test(value)

const elementBefore = /(<|&lt;)(?:[\p{L}\p{N}_.-]+:)?$/u
const restOfTag = /(?=[\s/>:\\])(?:[^<>"']|"[^"<]{0,999}"|'[^'<]{0,999}'){0,999}>/uy

/** The content of an XML element of this name, also where it is written with entities; or what a property list has under it. */
const elementOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const { start, end, word } = name
  const [, bracket] = elementBefore.exec(text.slice(Math.max(0, start - 80), start)) ?? []
  if (bracket === undefined) return undefined
  if (bracket === '&lt;') return escapedElement(text, end)
  const property = isKey.test(word) ? propertyOf(text, end) : undefined
  if (property !== undefined) return property.value && { ...property.value, mask }
  return plainElement(text, end, reading)
}

const plainElement = (text: string, end: number, reading: Reading): Replacement | undefined => {
  const tag = matchAt(restOfTag, text, end)
  if (tag === null || tag[0].endsWith('/>')) return undefined
  const from = restOfTag.lastIndex
  const attributes = replaceSpans(tag[0], findNamed(tag[0], false))
  const contentEnd = contentEndOf(text, from, reading)
  if (text.slice(from, contentEnd).trim() === '' && attributes === tag[0]) return undefined
  return { start: end, end: contentEnd, mask: `${attributes}${contentEnd > from ? mask : ''}` }
}

const contentEndOf = (text: string, from: number, reading: Reading): number => {
  const to = reading.left > 0 ? elementEnd(text, from) : text.length
  reading.left -= (to ?? text.length) - from
  return to ?? (reading.isCut ? text.length : unclosedEnd(text, from))
}

/** Without an end there may be none, because somebody has cut the text or it is no XML. */
const unclosedEnd = (text: string, from: number): number =>
  from + (/^[^<\r\n]*/u.exec(text.slice(from))?.[0].length ?? 0)

const escapedElement = (text: string, end: number): Replacement | undefined => {
  const tag = matchAt(/(?:(?!&[lg]t;)[^<>])*&gt;/uy, text, end)
  if (tag === null) return undefined
  const start = end + tag[0].length
  const found = text.indexOf('&lt;/', start)
  return { start, end: found < 0 ? text.length : found, mask }
}

const quoteBefore = /([[(]\s{0,8})?\\*["']$/u
const asPair = /\s*,\s*/uy
const asNamedValue = /\s*,?\s*(?:\\*["'])?val(?:ue)?(?:\\*["'])?\s*(?:[:=]|=>)\s*/iuy
const asPart = /[^\r\n\\]{0,200}(?:(?:\r?\n|\\r\\n|\\n)[^\r\n\\]{1,200}){0,4}(?:\r?\n|\\r\\n|\\n){2}/uy

/** What follows a quoted name: `("Cookie", "…")`, `{"name": "token", "value": "…"}`, a part of a multipart form. */
const pairOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const before = text.slice(Math.max(0, name.start - 24), name.start)
  const bracket = quoteBefore.exec(before)
  const quote = matchAt(quoteAt, text, name.end)?.[0]
  if (bracket === null || quote === undefined) return undefined
  const from = name.end + quote.length
  const place: Place = { name, nameQuote: quote, sign: ',' }
  if (matchAt(asNamedValue, text, from) !== null) return valueOf(text, asNamedValue.lastIndex, place)
  const later = valueAfterName(text, name.end)
  if (later !== undefined) return valueOf(text, later, place)
  if (bracket[1] !== undefined && matchAt(asPair, text, from) !== null) return secondOf(text, asPair.lastIndex, place)
  if (/name=\\*["']$/u.test(before) && matchAt(asPart, text, from) !== null) return partOf(text, asPart.lastIndex)
  return isNameOfTag(text, name.start) ? plainElement(text, from, reading) : undefined
}

const beforeTagName = /<(?!(?:input|meta|img|link)\b)[\p{L}_][^<>]*[\s"'](?:name|key)\s{0,4}=\s{0,4}\\{0,15}["']$/iu

/** Whether what starts here says what the content of its XML element is: `<field name="password">…</field>`. */
const isNameOfTag = (text: string, start: number): boolean =>
  beforeTagName.test(text.slice(Math.max(0, start - 120), start))

const secondOf = (text: string, at: number, place: Place): Replacement | undefined => {
  const quote = matchAt(opening, text, at)?.[1]
  if (quote === undefined) return undefined
  const value = quotedValue(text, opening.lastIndex, quote, place)
  return value !== undefined && matchAt(/\\*["']?\s*[)\]]/uy, text, value.end) !== null ? value : undefined
}

const partOf = (text: string, start: number): Replacement | undefined => {
  const end = /(?:\r?\n|\\r\\n|\\n)--/u.exec(text.slice(start))?.index
  return { start, end: end === undefined ? text.length : start + end, mask }
}

const beforeOption = /(?:^|[\s"'`(])--$/u
const afterOption = /[ \t]{1,8}(?!-)/uy
const plainWord = /[^\s"'\\<>]+/uy

/** What follows the name of an option: `--password "…"`. Words without quotes may be a sentence about it. */
const optionOf = (text: string, { start, end }: Name): Replacement | undefined => {
  if (!beforeOption.test(text.slice(Math.max(0, start - 3), start)) || matchAt(afterOption, text, end) === null)
    return undefined
  const at = afterOption.lastIndex
  const quote = matchAt(opening, text, at)?.[1]
  if (quote !== undefined) {
    const from = opening.lastIndex
    return { start: from, end: quotedEnd(text, from, quote), mask }
  }
  const value = matchAt(plainWord, text, at)?.[0]
  return value === undefined || isOrdinary(value) ? undefined : { start: at, end: at + value.length, mask }
}
