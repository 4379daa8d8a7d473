import { isName } from './identifiers.ts'
import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt, secretName } from './secret-names.ts'
import { isNameTag, siblingOf } from './siblings.ts'
import { bracket, closedAt, tagsOf, unclosedEnd, type Reading, type Tags } from './tags.ts'
import { matchAt, quotedEnd, quotes } from './value-ends.ts'
import { quoteAt, type Name } from './values.ts'

const isKey = /^key$/iu
const elementBefore = new RegExp(String.raw`(${bracket})(?:[\p{L}\p{N}_.-]+:)?$`, 'iu')

/** How the tag is written whose name begins here. */
const tagsBefore = (text: string, start: number): Tags | undefined => {
  const [, written] = elementBefore.exec(text.slice(Math.max(0, start - 80), start)) ?? []
  return written === undefined ? undefined : tagsOf(written)
}

/** The content of an XML element of this name, and what is secret in its tag; or what stands in the next one, which it names. */
export const elementOf = (text: string, name: Name, reading: Reading): Replacement | undefined => {
  const tags = tagsBefore(text, name.start)
  if (tags === undefined) return undefined
  const sibling = isNameTag(name.word) ? siblingOf(text, name, tags, reading) : undefined
  if (sibling !== undefined) return sibling.secret
  return isKey.test(name.word) && hasName(text, name.end, tags) ? undefined : contentOf(text, name, tags, reading)
}

/** What the element next to `<name>` holds, when that makes a secret of it. */
export const namedByElement = (
  text: string,
  name: Pick<Name, 'start' | 'end' | 'word'>,
  reading: Reading,
): Replacement | undefined => {
  const tags = isNameTag(name.word) ? tagsBefore(text, name.start) : undefined
  return tags && siblingOf(text, name, tags, reading)?.secret
}

/** Longer ones are no names. */
const longestName = 120

/** Whether an element holds the name of something, and nothing else. */
const hasName = (text: string, end: number, tags: Tags): boolean => {
  const from = end + (matchAt(tags.rest, text, end)?.[0].length ?? 0)
  const to = unclosedEnd(text, from, tags)
  return to - from <= longestName && isName(text.slice(from, to).trim(), 0) && matchAt(closing, text, to) !== null
}
const closing = new RegExp(String.raw`(?:${bracket})\\{0,8}/`, 'iuy')

/** Up to the name of an attribute, in a tag that is to be closed. */
const startOfTag = String.raw`(${bracket})(?!(?:input|meta|img|link)\b)[\p{L}_][^<>]*[\s"';]`
const beforeTagName = new RegExp(String.raw`${startOfTag}(?:name|key)\s{0,4}=\s{0,4}(?:${quotes})$`, 'iu')

/** The content of an XML element that says its name in an attribute: `<field name="password">…</field>`. @param from behind the name and its quote. */
export const namedElementOf = (text: string, name: Name, from: number, reading: Reading): Replacement | undefined => {
  const [, written] = beforeTagName.exec(text.slice(Math.max(0, name.start - 120), name.start)) ?? []
  return written === undefined ? undefined : contentOf(text, { end: from, word: name.word }, tagsOf(written), reading)
}

const beforeAttribute = new RegExp(`${startOfTag}$`, 'iu')

/**
 * What an element holds whose attribute `key` says the name of it: `<entry key="password">…</entry>`.
 * @param at where the attribute begins behind its sign.
 * @returns undefined when this is no name; without a `secret` when it is, but of none.
 */
export const elementWithKey = (
  text: string,
  { start }: Name,
  at: number,
  reading: Reading,
): { readonly secret?: Replacement } | undefined => {
  const quoted = quoteAt(text, at)
  const [, written] = beforeAttribute.exec(text.slice(Math.max(0, start - 120), start)) ?? []
  if (quoted === undefined || written === undefined) return undefined
  const name = text.slice(quoted.start, quoted.start + longestName)
  const length = quotedEnd(name, 0, quoted.quote)
  if (length === name.length) return undefined
  const word = name.slice(0, length)
  const end = quoted.start + length
  const lastWord = word.split(/\s/u).at(-1) ?? ''
  const content =
    secretName(lastWord) &&
    contentOf(text, { end: end + quoted.quote.length, word: lastWord }, tagsOf(written), reading)
  if (isName(word, content === undefined ? 0 : 2)) return content === undefined ? {} : { secret: content }
  if (content === undefined) return undefined
  return { secret: { ...content, start: quoted.start, mask: `${mask}${quoted.quote}${content.mask}` } }
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

const contentEndOf = (text: string, from: number, tags: Tags, reading: Reading): number =>
  // Without an end there may be none, because somebody has cut the text or it is no XML.
  closedAt(text, from, tags, reading) ?? (reading.isCut ? text.length : unclosedEnd(text, from, tags))
