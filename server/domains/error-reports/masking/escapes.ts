import { type Span } from './value-ends.ts'

/** A text as one reads it, and where a part of it is in the text as it was written. */
export interface PlainText {
  readonly plain: string
  /** For parts that are asked from left to right. */
  readonly written: (part: Span) => Span
}

interface Escape {
  readonly plain: Span
  readonly written: Span
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
  if (!mayHaveEscapes.test(text)) return { plain: text, written: (part) => part }
  const escapes: Escape[] = []
  let plain = ''
  let done = 0
  for (const found of text.matchAll(escaped)) {
    const [all, { length: run } = '', code = found[3] ?? ''] = found
    // Of percent codes there are no backslashes.
    const own = run & -run
    const end = found.index + all.length
    plain += text.slice(done, found.index + run - own)
    const from = plain.length
    plain += meaning(String.fromCharCode(Number.parseInt(code, 16)), own)
    escapes.push({ plain: { start: from, end: plain.length }, written: { start: found.index + run - own, end } })
    done = end
  }
  return { plain: plain + text.slice(done), written: partsOf(escapes) }
}

const meaning = (character: string, backslashes: number): string => {
  if (character === '\\') return '\\'.repeat(2 * backslashes)
  return character === '"' || character === "'" ? '\\'.repeat(2 * backslashes - 1) + character : character
}

const partsOf = (escapes: readonly Escape[]): ((part: Span) => Span) => {
  let next = 0
  /** An escape in which a part begins or ends belongs to it. */
  const placeOf = (at: number, edge: 'start' | 'end'): number => {
    while (next < escapes.length && (escapes[next]?.plain.start ?? at) < at) next++
    const last = escapes[next - 1]
    if (last === undefined) return at
    return at < last.plain.end ? last.written[edge] : last.written.end + at - last.plain.end
  }
  return ({ start, end }) => ({ start: placeOf(start, 'start'), end: placeOf(end, 'end') })
}
