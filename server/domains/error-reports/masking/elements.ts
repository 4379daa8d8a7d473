import { propertyOf } from './property-lists.ts'
import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt } from './secret-names.ts'
import { elementEnd, matchAt, plainTags, quotes } from './value-ends.ts'
import { type Name } from './values.ts'

/** How far the text has been read ahead to find ends, and whether it goes on behind its end. */
export interface Reading {
  left: number
  readonly isCut: boolean
  /** Masks what is secret in one tag. */
  readonly maskTag: (tag: string) => string
}

/** How the tags of XML are written. */
interface Tags {
  /** Behind the name of an element. */
  readonly rest: RegExp
  readonly selfClosing: RegExp
  readonly any: RegExp
  /** What may stand in an element that nothing closes. */
  readonly unclosed: RegExp
}

const asIs: Tags = {
  rest: /(?=[\s/>:\\])(?:[^<>"']|"[^"<]{0,999}"|'[^'<]{0,999}'){0,999}>/uy,
  selfClosing: /\/>$/u,
  any: plainTags,
  unclosed: /[^<\r\n]*/uy,
}

const less = '&(?:amp;){0,4}(?:lt|#60|#x3c);'
const greater = '&(?:amp;){0,4}(?:gt|#62|#x3e);'
const inTag = `(?:(?!${less}|${greater})[^<>])*`
/** With entities, as XML inside XML is, and with entities of those. */
const asEntities: Tags = {
  rest: new RegExp(`${inTag}${greater}`, 'iuy'),
  selfClosing: new RegExp(`/${greater}$`, 'iu'),
  any: new RegExp(String.raw`${less}(\/?)[\p{L}_]${inTag}?(\/?)${greater}`, 'giu'),
  unclosed: new RegExp(String.raw`(?:(?!${less})[^<\r\n])*`, 'iuy'),
}

const tagsOf = (bracket: string): Tags => (bracket === '<' ? asIs : asEntities)

const isKey = /^key$/iu
const elementBefore = new RegExp(String.raw`(<|${less})(?:[\p{L}\p{N}_.-]+:)?$`, 'iu')

/** The content of an XML element of this name, and what is secret in its tag; or what a property list has under the name. */
export const elementOf = (text: string, { start, end, word }: Name, reading: Reading): Replacement | undefined => {
  const [, bracket] = elementBefore.exec(text.slice(Math.max(0, start - 80), start)) ?? []
  if (bracket === undefined) return undefined
  const property = bracket === '<' && isKey.test(word) ? propertyOf(text, end) : undefined
  if (property !== undefined) return property.value && { ...property.value, mask }
  return contentOf(text, { end, word }, tagsOf(bracket), reading)
}

const beforeTagName = new RegExp(
  String.raw`(<|${less})(?!(?:input|meta|img|link)\b)[\p{L}_][^<>]*[\s"';](?:name|key)\s{0,4}=\s{0,4}(?:${quotes})$`,
  'iu',
)

/** The content of an XML element that says its name in an attribute: `<field name="password">…</field>`. @param from behind the name and its quote. */
export const namedElementOf = (text: string, name: Name, from: number, reading: Reading): Replacement | undefined => {
  const [, bracket] = beforeTagName.exec(text.slice(Math.max(0, name.start - 120), name.start)) ?? []
  return bracket === undefined ? undefined : contentOf(text, { end: from, word: name.word }, tagsOf(bracket), reading)
}

/** @param opened where the rest of its tag begins, and the name that makes a secret of it. */
const contentOf = (
  text: string,
  { end, word }: Pick<Name, 'end' | 'word'>,
  tags: Tags,
  reading: Reading,
): Replacement | undefined => {
  const tag = matchAt(tags.rest, text, end)?.[0]
  if (tag === undefined || tags.selfClosing.test(tag)) return undefined
  const from = end + tag.length
  if (!isSecretAt(text, from, word)) return undefined
  const masked = reading.maskTag(tag)
  const contentEnd = contentEndOf(text, from, tags, reading)
  if (text.slice(from, contentEnd).trim() === '' && masked === tag) return undefined
  return { start: end, end: contentEnd, mask: `${masked}${contentEnd > from ? mask : ''}` }
}

const contentEndOf = (text: string, from: number, tags: Tags, reading: Reading): number => {
  const to = reading.left > 0 ? elementEnd(text, from, tags.any) : text.length
  reading.left -= (to ?? text.length) - from
  // Without an end there may be none, because somebody has cut the text or it is no XML.
  return to ?? (reading.isCut ? text.length : from + (matchAt(tags.unclosed, text, from)?.[0].length ?? 0))
}
