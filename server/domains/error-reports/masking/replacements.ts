import { readPlain } from './escapes.ts'
import { type Span } from './value-ends.ts'

/** What stands where a secret was. */
export const mask = '***'

/** A part of a text, and what stands there instead. */
export interface Replacement extends Span {
  readonly mask: string
}

/** What one pass finds in a text, from left to right, without any that overlap. */
export type Finder = (text: string) => readonly Replacement[]

/** What is found in the text as one reads it is replaced in the text as it is written; the rest of it stays as it is. */
export const replaceFound = (text: string, find: Finder): string => {
  const { plain, written } = readPlain(text)
  return replaceSpans(
    text,
    find(plain).map((found) => ({ ...found, ...written(found) })),
  )
}

export const replaceSpans = (text: string, replacements: readonly Replacement[]): string => {
  let replaced = ''
  let done = 0
  for (const { start, end, mask: by } of replacements) {
    replaced += text.slice(done, start) + by
    done = end
  }
  return replaced + text.slice(done)
}

/** Finds a secret in everything that a global pattern matches. @param spanOf undefined for what is none. */
export const finderOf =
  (pattern: RegExp, spanOf: (match: RegExpExecArray) => Span | undefined): Finder =>
  (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const span = spanOf(match)
      return span === undefined ? [] : [{ ...span, mask }]
    })

/** Looks only where one of these stands: most texts have none of them, and a pattern takes a hundred times as long to say so. */
export const whereThereIs =
  (texts: readonly string[], find: Finder): Finder =>
  (text) =>
    texts.some((one) => text.includes(one)) ? find(text) : []

/** All of a match but so many characters at its beginning and at its end. */
export const inner = (match: RegExpExecArray, before = 0, after = 0): Span => ({
  start: match.index + before,
  end: match.index + match[0].length - after,
})
