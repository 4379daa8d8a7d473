import { replaceChanging, type Changing } from './changing.ts'
import { hideMeaningful, showHidden, things } from './meaningful-numbers.ts'
import { networkAddresses, withoutHostNumbers } from './normalize-addresses.ts'
import { dates, durations, unit } from './normalize-dates.ts'

/** One that joins the number to what is before it is none. */
const minus = String.raw`(?:(?<![^\s([{:=,"'])-)?`
/**
 * What changes from failure to failure, in the order in which it is replaced by `#`: one sign for all, because what looks like a
 * time in one text looks like a number in the next. These say nothing else, whatever stands before them.
 */
const unmistakable: readonly Changing[] = [
  [/[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}/gu, /@/u],
  [/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/giu, /-[\da-f]{4}-/iu],
  ...networkAddresses,
  ...dates,
]

/** The same of what may also say what happened. */
const ids: readonly Changing[] = [
  ...durations,
  [/\b0x[\da-f]+/giu],
  // Numbers of things: `ABC123`. In other words they are a part of the name: `address2`.
  [/(?<=(?<![\p{L}\d_])[A-Z]{1,16})\d+(?![\p{L}\d_])/gu],
  // No word of a language has eight letters from a to f.
  [/(?<![\p{L}\d])(?=[\da-f]{0,64}[a-f])[\da-f]{8,}(?![\p{L}\d])/giu],
  // Random ids have digits among their letters.
  [/(?<![\p{L}\d])(?=(?:[A-Za-z]*\d){3})[A-Za-z\d]{16,64}(?![\p{L}\d])/gu, /\d[A-Za-z]*\d[A-Za-z]*\d/u],
  [new RegExp(String.raw`${minus}\d{5,}(?:[.,]\d+)*`, 'gu')],
  [new RegExp(String.raw`(?<![\p{L}\d_])${minus}\d+(?:[.,]\d+)*(?=(?i:${unit})?(?![\p{L}\d_]))`, 'gu')],
]

/** What is not an object of many, but one of a few parts of one: `address_1` and `address_2` are two. */
const parts =
  'address|addr|line|street|phone|tel|image|photo|step|level|part|version|vat|tax|price|name|text|note|key|value'
/** What channels demand, each by its number: `attribute_338`. */
const demands = 'attribute|attr|field|column|col|option|param|arg'

/** Ids that are joined to what is before them: `order_1001`. In codes these tell causes apart. */
const joinedIds: readonly Changing[] = [
  [
    new RegExp(String.raw`(?=\d)(?<=(?:#|(?<![\p{L}\d])(?:${things}))_)\d{1,4}(?:_\d{1,4})*(?![\p{L}\d])`, 'giu'),
    /_\d/u,
  ],
  // Several after one word are a code: `integrations_200_10_1`.
  [
    new RegExp(
      String.raw`(?=\d)(?<=\p{L}{2}_)(?!(?<=(?<!\p{L})(?:(?:${parts})_(?=\d(?!\d))|(?:${demands})_)))\d{1,4}(?![\p{L}\d]|_\d)`,
      'giu',
    ),
    /\p{L}_\d/u,
  ],
]

/** Several in a row, as the parts of a version and the ids of a list are, are as many as one. */
const inARow = /#+(?:(?:[.,:;/_-]\s?|\s)#+)*/gu

const without = (text: string, changing: readonly Changing[]): string =>
  changing.reduce((current, one) => replaceChanging(current, one), text)

/**
 * A text without what changes from failure to failure with the same cause: UUIDs and other ids, dates and times, counters,
 * amounts, e-mail and other addresses. Numbers that are a part of a word stay, and those that say what happened.
 */
export const normalize = (text: string): string => normalized(text, [...ids, ...joinedIds])

const normalized = (text: string, changing: readonly Changing[]): string =>
  showHidden(without(withoutHostNumbers(hideMeaningful(without(text, unmistakable))), changing).replaceAll(inARow, '#'))
    .replaceAll(/\s{2,}|[^\S ]/gu, ' ')
    .trim()

/** The id of a batch before a code, whatever it looks like: clients put it before one of these words. */
const batchBefore = /^.+?(?=-(?:Channel|Omnitron)-)/u
/** All of a code: `1001`, `E1001`, `EC-1001`. */
const shortCode = /^(?:-?\d{1,6}|[A-Z]{1,4}\d{1,6}|[A-Z]{1,2}-\d{1,5})$/u
const hasNoLetter = /^\P{L}*$/u

/**
 * An error code without what changes. Short numbers that are all of the code, or joined to it without a blank or a hyphen, tell
 * codes apart (`1001`, `E1001`, `integrations_200_10_1`); the others are ids and counters (`order-1001-failed`).
 */
export const normalizeCode = (code: string): string => {
  const trimmed = code.trim()
  if (shortCode.test(trimmed)) return trimmed
  if (hasNoLetter.test(trimmed)) return trimmed.replaceAll(/\d{5,}(?:\.\d+)?/gu, '#')
  return normalized(trimmed.replace(batchBefore, '#'), ids)
}
