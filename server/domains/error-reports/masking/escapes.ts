import { type Replacement, replaceSpans } from './replace-spans.ts'
import { type Span } from './value-ends.ts'

/** A text as one reads it, and its escapes from left to right: where each stands in what is read, and how it is written. */
export interface PlainText {
  readonly plain: string
  readonly escapes: readonly Escape[]
}

interface Escape extends Span {
  readonly written: string
}

/**
 * ASCII written as `\u0022`, in a text inside a text with more backslashes (the look behind keeps long runs of them cheap), and
 * what card numbers are written with besides; and letters, digits and `-._~`, which mean the same as `%5F`, in a URL inside a URL
 * as `%255F` (RFC 3986, section 2.3).
 */
const escaped =
  /(?<!\\)(\\+)u(00[2-7][\da-f]|00a0|ff1\d)|%(?:25){0,4}(2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/giu
const mayHaveEscapes = /\\u(?:00|ff1)|%(?:25)?[2-7]/iu

/**
 * Reads what JSON writes as `\u0022` (.NET, Gson, PHP) like the `\"` that means the same, and `\u0077` and `%77` like `w`.
 *
 * Of r backslashes as many as the highest power of two that divides r belong to the escape: half of them are left at
 * each level of quoting, until one is. The others stand before it. So `\\u0022` is `\\\"`.
 */
export const readPlain = (text: string): PlainText => {
  if (!mayHaveEscapes.test(text)) return { plain: text, escapes: [] }
  const escapes: Escape[] = []
  let plain = ''
  let done = 0
  for (const found of text.matchAll(escaped)) {
    const [all, { length: run } = '', code = found[3] ?? ''] = found
    // Of percent codes there are no backslashes.
    const own = run & -run
    plain += text.slice(done, found.index + run - own)
    const start = plain.length
    plain += meaning(String.fromCharCode(Number.parseInt(code, 16)), own)
    escapes.push({ start, end: plain.length, written: all.slice(run - own) })
    done = found.index + all.length
  }
  return { plain: plain + text.slice(done), escapes }
}

const meaning = (character: string, backslashes: number): string => {
  if (character === '\\') return '\\'.repeat(2 * backslashes)
  return character === '"' || character === "'" ? '\\'.repeat(2 * backslashes - 1) + character : character
}

/** The text as it was written. */
export const writeOut = ({ plain, escapes }: PlainText): string =>
  replaceSpans(
    plain,
    escapes.map(({ start, end, written }) => ({ start, end, mask: written })),
  )

/**
 * Replaces parts of what is read. An escape in which a part begins or ends belongs to it. The others are taken over, and not
 * read again: of those there may be tens of thousands, and secrets of many kinds.
 */
export const replaceIn = (text: PlainText, parts: readonly Replacement[]): PlainText => {
  if (parts.length === 0) return text
  const { whole, others } = besides(text.escapes, parts)
  const replaced = { plain: replaceSpans(text.plain, whole), escapes: others }
  return parts.some((part) => makesEscapes(text.plain, part)) ? readPlain(writeOut(replaced)) : replaced
}

/** The parts with all of the escapes that they touch, and the other escapes where they stand afterwards. */
const besides = (escapes: readonly Escape[], parts: readonly Replacement[]) => {
  const whole: Replacement[] = []
  const others: Escape[] = []
  let next = 0
  let shift = 0
  let done = 0
  const takeOver = (to: number): void => {
    for (let one = escapes[next]; one !== undefined && one.end <= to; one = escapes[++next])
      others.push({ ...one, start: one.start + shift, end: one.end + shift })
  }
  for (const { mask, ...part } of parts) {
    takeOver(part.start)
    const start = Math.max(done, Math.min(part.start, escapes[next]?.start ?? part.start))
    for (done = part.end; (escapes[next]?.start ?? done) < done; next++)
      done = Math.max(done, escapes[next]?.end ?? done)
    whole.push({ start, end: done, mask })
    shift += mask.length - (done - start)
  }
  takeOver(Infinity)
  return { whole, others }
}

/** Whether what stands around a part, or for it, may mean something else afterwards: fewer backslashes, or other text. */
const makesEscapes = (plain: string, { end, mask }: Replacement): boolean =>
  (plain[end] === '\\' && plain[end - 1] === '\\') || /[\\%]/u.test(mask)
