import { elementEnd, matchAt, plainTags } from './value-ends.ts'

/** How far the text has been read ahead to find ends, and whether it goes on behind its end. */
export interface Reading {
  left: number
  readonly isCut: boolean
  /** Masks what is secret in one tag. */
  readonly maskTag: (tag: string) => string
}

/** How the tags of XML are written. */
export interface Tags {
  /** `<` and `>`, as parts of patterns. */
  readonly less: string
  readonly greater: string
  /** Behind the name of an element. */
  readonly rest: RegExp
  readonly selfClosing: RegExp
  readonly any: RegExp
  /** What may stand in an element that nothing closes. */
  readonly unclosed: RegExp
}

export const asIs: Tags = {
  less: '<',
  greater: '>',
  rest: /(?=[\s/>:\\])(?:[^<>"']|"[^"<]{0,999}"|'[^'<]{0,999}'){0,999}>/uy,
  selfClosing: /\/>$/u,
  any: plainTags,
  unclosed: /[^<\r\n]*/uy,
}

const less = '&(?:amp;){0,4}(?:lt|#60|#x3c);'
const greater = '&(?:amp;){0,4}(?:gt|#62|#x3e);'
const inTag = `(?:(?!${less}|${greater})[^<>])*`
/** With entities, as XML inside XML is, and with entities of those. */
export const asEntities: Tags = {
  less,
  greater,
  rest: new RegExp(`${inTag}${greater}`, 'iuy'),
  selfClosing: new RegExp(`/${greater}$`, 'iu'),
  any: new RegExp(String.raw`${less}\\{0,8}(\/?)[\p{L}_]${inTag}?(\/?)${greater}`, 'giu'),
  unclosed: new RegExp(String.raw`(?:(?!${less})[^<\r\n])*`, 'iuy'),
}

/** `<`, however it is written. */
export const bracket = `<|${less}`

export const tagsOf = (written: string): Tags => (written === '<' ? asIs : asEntities)

/** Where the content of an element ends that begins here, if it is to be found. */
export const closedAt = (text: string, from: number, tags: Tags, reading: Reading): number | undefined => {
  const to = reading.left > 0 ? elementEnd(text, from, tags.any) : text.length
  reading.left -= (to ?? text.length) - from
  return to
}

/** What stands in an element up to the end of the line or the next tag. */
export const unclosedEnd = (text: string, from: number, tags: Tags): number =>
  from + (matchAt(tags.unclosed, text, from)?.[0].length ?? 0)
