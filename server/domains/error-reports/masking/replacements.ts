import { type Replacement } from './replace-spans.ts'
import { type Span } from './value-ends.ts'

/** What stands where a secret was. */
export const mask = '***'

/** What one pass finds in a text, from left to right, without any that overlap. */
export type Finder = (text: string) => readonly Replacement[]

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
