import { isSecretName } from './secret-names.ts'

/** What stands where a secret was. */
export const mask = '***'

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Masks what has the name of a secret: members of JSON, form fields and parameters of URLs, attributes and elements of XML, header
 * lines. The text is not parsed, so it keeps its form, and may have something before or behind the body, or be cut.
 * Takes time in proportion to the length of the text: each pass goes from left to right and behind what it has masked.
 */
export const maskNamedValues = (text: string): string =>
  maskHeaderLines(maskElements(maskBehind(pairs, maskBehind(members, text))))

/** `"name": `, also in a text inside a text, where quotes have backslashes before them. */
const members = /(?<quote>\\{0,15}["'])(?<name>[\p{L}\d_ .$[\]-]+)\k<quote>\s*:\s*/gu
/** `name=` of forms, URLs and XML. */
const pairs = /(?<![\p{L}\d_.%[\]-])(?<name>[\p{L}\d_.%[\]-]+)=/gu

const maskBehind = (names: RegExp, text: string): string => {
  let masked = ''
  let done = 0
  names.lastIndex = 0
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    if (!isSecretName(found.groups?.name ?? '')) continue
    const { start, end } = valueAt(text, names.lastIndex, names === members)
    names.lastIndex = end
    if (start === end || isNoSecret.test(text.slice(start, end))) continue
    // A member has a text instead of a number or an object.
    const quote = names === members && start === found.index + found[0].length ? (found.groups?.quote ?? '') : ''
    masked += text.slice(done, start) + quote + mask + quote
    done = end
  }
  return masked + text.slice(done)
}

const isNoSecret = /^(?:\*+|null|none|true|false|\{\s*\}|\[\s*\])$/iu
/** Python writes `u` or `b` before some texts. */
const opening = /[bu]?(?<slashes>\\{0,15})(?<quote>["'])/uy
const bare = /[^\s&"'<>{\\]+/uy
const punctuation = /[,.;:)\]}]{1,3}$/u

/** What stands behind a name: a text without its quotes, in JSON also an object or array, or a word. What has no end goes to that of the text. */
const valueAt = (text: string, at: number, isMember: boolean): Span => {
  const opened = matchAt(opening, text, at)
  if (opened !== null) {
    const { quote = '', slashes = '' } = opened.groups ?? {}
    const start = at + opened[0].length
    return { start, end: quotedEnd(text, start, quote, slashes.length) }
  }
  if (isMember && (text[at] === '{' || text[at] === '[')) return { start: at, end: bracketEnd(text, at) }
  const word = matchAt(bare, text, at)?.[0] ?? ''
  return { start: at, end: at + word.replace(punctuation, '').length }
}

/**
 * Where a quoted text ends. As many backslashes as r before a quote escape it at as many levels as r has ones at its end in binary:
 * at level 0, `"`, it ends before an even number of them, at level 1, `\"`, also before 1, 5, 9, …
 */
const quotedEnd = (text: string, from: number, quote: string, slashes: number): number => {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    const run = slashesBefore(text, at, from)
    if ((~run & -~run) <= slashes + 1) return at - Math.min(run, slashes)
  }
  return text.length
}

const slashesBefore = (text: string, at: number, from: number): number => {
  let first = at
  while (first > from && text[first - 1] === '\\') first--
  return at - first
}

const bracketEnd = (text: string, from: number): number => {
  const signs = /["'[\]{}]/gu
  signs.lastIndex = from
  let depth = 0
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const [sign] = found
    if (sign === '"' || sign === "'")
      signs.lastIndex =
        text.indexOf(sign, quotedEnd(text, found.index + 1, sign, slashesBefore(text, found.index, from))) + 1 ||
        text.length
    else depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth === 0) return signs.lastIndex
  }
  return text.length
}

const tag = /<(?<element>(?:[\p{L}\d_.-]+:)?[\p{L}\d_.-]+)(?:\s[^<>]*)?(?<!\/)>/gu
const closingTag = /<\/(?<element>[\p{L}\d_.:-]+)\s*>/gu
const cdata = /\s*<!\[CDATA\[/uy

/** Masks the content of elements. One that is not closed is none. */
const maskElements = (text: string): string => {
  const lastClosed = new Map<string, number>()
  for (const { index, groups } of text.matchAll(closingTag)) lastClosed.set(groups?.element ?? '', index)
  let masked = ''
  let done = 0
  for (const { index, 0: opened, groups } of text.matchAll(tag)) {
    const start = index + opened.length
    const element = groups?.element ?? ''
    const isClosed = (lastClosed.get(element) ?? 0) >= start
    if (start < done || !isClosed || !isSecretName(element)) continue
    const end = contentEnd(text, start, element)
    if (text.slice(start, end).trim() === '') continue
    masked += text.slice(done, start) + mask
    done = end
  }
  return masked + text.slice(done)
}

const contentEnd = (text: string, start: number, element: string): number => {
  const from = matchAt(cdata, text, start) === null ? start : Math.max(start, text.indexOf(']]>', start))
  const end = text.indexOf(`</${element}`, from)
  return end < 0 ? text.length : end
}

const headerLine = /^(?<before>[ \t<>]{0,4}(?<name>[\p{L}\d_-]+):[ \t]*)(?<value>\S.*)$/gmu
const ofSeveralWords = /(?:authorization|cookie2?)$/iu

/** Masks header lines. Of several words only those that always have some: others may be a sentence about the secret. */
const maskHeaderLines = (text: string): string =>
  text.replaceAll(headerLine, (line, before: string, name: string, value: string) =>
    isSecretName(name) && (ofSeveralWords.test(name) || !/\s/u.test(value.trim())) && !isNoSecret.test(value)
      ? before + mask
      : line,
  )

/** What a sticky pattern finds at a place. */
const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}
