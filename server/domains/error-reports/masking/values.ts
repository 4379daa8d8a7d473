import { bareValueAt } from './bare-values.ts'
import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt, type SecretName } from './secret-names.ts'
import { containerEnd, matchAt, quotedEnd, quotes, type Span } from './value-ends.ts'

/** A name in a text, and how it stands there. */
export interface Name extends Span {
  readonly word: string
  readonly kind: Exclude<SecretName, undefined>
}

/** Where a value stands: behind which name, and what separates the two. */
export interface Place {
  readonly name: Name
  /** The quote that closes the name, when one does. */
  readonly nameQuote: string | undefined
  /** In capitals, of ASCII. */
  readonly sign: string
}

const opening = new RegExp(`(?:[bru]{1,2}(?=["'\\\\]))?(${quotes})`, 'iuy')
const nothing = /(?:null|none|true|false|undefined)\b|\*{3}/iuy

/** The value that begins here, in quotes, in brackets, or without any. */
export const valueOf = (text: string, at: number, place: Place): Replacement | undefined => {
  if (matchAt(nothing, text, at) !== null) return undefined
  if (place.name.kind === 'vague' && !isSecretAt(text, at, place.name.word)) return undefined
  const quoted = quoteAt(text, at)
  if (quoted !== undefined) return quotedValue(text, quoted.start, quoted.quote, place)
  if ('{[('.includes(text[at] ?? ' ')) {
    const written = place.nameQuote ?? '"'
    const end = containerEnd(text, at, Math.max(0, written.length - 1))
    return end - at <= 2 ? undefined : { start: at, end, mask: maskIn(written, text, end) }
  }
  return bareValue(text, at, place)
}

/** The quote that opens here, and where what is in it starts. */
export const quoteAt = (text: string, at: number): { readonly quote: string; readonly start: number } | undefined => {
  const quote = matchAt(opening, text, at)?.[1]
  return quote === undefined ? undefined : { quote, start: opening.lastIndex }
}

const closing = /\s*(?:[,}\])>]|$)/uy

export const quotedValue = (text: string, start: number, quote: string, place: Place): Replacement | undefined => {
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
export const isOrdinary = (value: string): boolean => value.replaceAll(mask, '').length < 16 && !/\d/u.test(value)

const quoteFollows = /\\*["']/uy

/** In quotes, as the names beside it are. Where a quote follows, two of them would be one inside the text. */
export const maskIn = (quote: string, text: string, end: number): string =>
  matchAt(quoteFollows, text, end) === null ? quote + mask + quote : mask
