import { type Span } from './value-ends.ts'

/** A part of a text, and what stands there instead. */
export interface Replacement extends Span {
  readonly mask: string
}

/** @param replacements from left to right, without any that overlap. */
export const replaceSpans = (text: string, replacements: readonly Replacement[]): string => {
  let replaced = ''
  let done = 0
  for (const { start, end, mask } of replacements) {
    replaced += text.slice(done, start) + mask
    done = end
  }
  return replaced + text.slice(done)
}
