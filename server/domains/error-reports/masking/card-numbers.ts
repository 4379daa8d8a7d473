import { type Replacement } from './replace-spans.ts'
import { finderOf, inner, mask, type Finder } from './replacements.ts'
import { type Span } from './value-ends.ts'

const digits = /(?:%[\dA-F]{2})?\d+(?:(?: |-|\+|%20|%C2%A0|&nbsp;)\d+)*/giu
/** With anything else between them only in groups as on the card, and not in a longer row of such. */
const row = /(?<![\d.,])\d{4}(\.| {2}|[\t_]|\r?\n|(?:\\r)?\\n|\\t)\d+(?:\1\d+)*/gu
const asOnCards: readonly string[] = ['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3']
/** The number on the first track of the magnetic stripe (ISO/IEC 7813). */
const track = /(%B)(\d{13,19})(?=\^)/gu
/** With one blank or hyphen between them also in other groups. */
const longestGroup = 7
const shortestGroup = 3

/** First digits that cards have, by the length of the number (ISO/IEC 7812; lists of the card schemes). */
const issued: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/u, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/u, [16]],
  [/^3[47]/u, [15]],
  [/^3(?:0[0-59]|[68])/u, [14, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65|62|35|220[0-4]|9792|60|81|82)/u, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/u, [13, 14, 15, 16, 17, 18, 19]],
]

/** Digits in a word, as in a hash, or in a decimal number, unless it is whole. A letter may be the end of an escape, as in `\n` and `%3D`. */
const isPartOfWord = (text: string, start: number, end: number): boolean =>
  /(?:(?<!\\|%[\dA-Fa-f]?)\p{L}|\d[.,])$/u.test(text.slice(Math.max(0, start - 3), start)) ||
  /^(?:\p{L}|[.,](?!0{1,2}(?!\d))\d)/u.test(text.slice(end, end + 4))

interface Group extends Span {
  readonly digits: string
}

const cardsOf = (match: RegExpExecArray): readonly Replacement[] => {
  const { 0: run, index, input } = match
  if (run.length < 13) return []
  // `%20` is written with digits itself.
  const groups = [...run.replaceAll(/%../gu, '   ').matchAll(/\d+/gu)].map((found): Group => ({
    digits: found[0],
    start: index + found.index,
    end: index + found.index + found[0].length,
  }))
  const cards: Replacement[] = []
  for (let first = 0; first < groups.length; first++) {
    const last = cardFrom(groups, first)
    const start = groups[first]?.start
    const end = groups[last ?? first]?.end
    if (last === undefined || start === undefined || end === undefined || isPartOfWord(input, start, end)) continue
    cards.push({ start, end, mask })
    first = last
  }
  return cards
}

const findGrouped = finderOf(row, (match) => {
  const span = inner(match)
  const { 0: all, 1: between = '', input } = match
  const groups = all.split(between)
  const isCard = asOnCards.includes(groups.map(({ length }) => length).join('-')) && isCardNumber(groups.join(''))
  return isCard && !isPartOfWord(input, span.start, span.end) ? span : undefined
})

const findOnTrack = finderOf(track, (match) =>
  isCardNumber(match[2] ?? '') ? inner(match, match[1]?.length) : undefined,
)

/** Other digits (full width, Arabic, Persian), blanks and hyphens than those of ASCII. */
const unusual = /[\uFF10-\uFF19\u0660-\u0669\u06F0-\u06F9\u00A0\u2000-\u200A\u202F\u3000\u2010-\u2015\u2212]/u
const unusuals = new RegExp(unusual, 'gu')
const usual = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code >= 0xff_10) return String(code - 0xff_10)
  if (code >= 0x06_60 && code <= 0x06_f9) return String(code & 0xf)
  return (code >= 0x20_10 && code <= 0x20_15) || code === 0x22_12 ? '-' : ' '
}

/** Looks at a text as if all of its digits, blanks and hyphens were of ASCII: each stands where it stood. */
const asUsual =
  (find: Finder): Finder =>
  (text) =>
    find(unusual.test(text) ? text.replaceAll(unusuals, usual) : text)

/** Finds card numbers: digits of a card scheme with a right check digit (Luhn, ISO/IEC 7812-1), together or in groups. */
export const cardFinders: readonly Finder[] = [
  findOnTrack,
  asUsual((text) => [...text.matchAll(digits)].flatMap(cardsOf)),
  findGrouped,
]

/** The last of the groups that, from the first one on, are a card number. */
const cardFrom = (groups: readonly Group[], first: number): number | undefined => {
  let number = ''
  for (let last = first; last < groups.length && number.length <= 19; last++) {
    const group = groups[last]?.digits ?? ''
    number += group
    if (isCardNumber(number)) return last
    if (group.length > longestGroup || group.length < shortestGroup) return undefined
  }
  return undefined
}

/** A number of 13 digits that begins with 4 is a bar code more often than a card: those with its check digit stay. */
const isCardNumber = (number: string): boolean =>
  issued.some(([start, lengths]) => lengths.includes(number.length) && start.test(number)) &&
  weighted(number, luhn) &&
  !(number.length === 13 && weighted(number, ean))

const luhn = (digit: number, isOdd: boolean): number => {
  if (!isOdd) return digit
  return digit > 4 ? digit * 2 - 9 : digit * 2
}
const ean = (digit: number, isOdd: boolean): number => (isOdd ? digit * 3 : digit)

/** Whether the digits, weighted by whether their place from the right is odd (from 0), add up to a multiple of ten. */
const weighted = (number: string, weight: (digit: number, isOdd: boolean) => number): boolean => {
  let sum = 0
  for (let place = 0; place < number.length; place++) sum += weight(Number(number.at(-1 - place)), place % 2 === 1)
  return sum % 10 === 0
}
