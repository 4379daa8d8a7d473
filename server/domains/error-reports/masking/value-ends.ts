/** A part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Quotes as they are, quoted themselves, and written as entities or percent codes, also of those. */
export const quotes = String.raw`\\*["']|&(?:amp;){0,4}(?:quot|apos|#3[49]|#x2[27]);|%(?:25){0,4}2[27]`

/** Line breaks as they are, and as JSON writes them. */
export const newLine = String.raw`(?:\r?\n|(?:\\r)?\\n)`

/** Matches a sticky or global pattern from a place on. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Where the content of a quoted text ends. A quote that is itself quoted, as in JSON inside JSON, comes with k
 * backslashes; what is quoted in it has more: a run of r ends it when r mod 2(k+1) = k. Fewer than k: an outer quote
 * ends first, because something cut the text. SQL writes a quote twice.
 * @param opening the quote as it was written: `"`, `\"`, `&quot;`, `%22`.
 * @returns the end of the text when nothing closes it.
 */
export const quotedEnd = (text: string, start: number, opening: string): number => {
  const quote = opening.at(-1) ?? ''
  if (quote !== '"' && quote !== "'") return endOf(text, opening, start)
  const level = opening.length - 1
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    const run = backslashesBefore(text, at, start)
    const closes = run < level || run % (2 * (level + 1)) === level
    const isDoubled = level === 0 && text[at + 1] === quote && at > start
    if (closes && isDoubled) at++
    else if (closes) return at - run + (run - Math.min(run, level))
  }
  return text.length
}

const endOf = (text: string, closing: string, start: number): number => {
  const at = text.indexOf(closing, start)
  return at < 0 ? text.length : at
}

const backslashesBefore = (text: string, at: number, start: number): number => {
  let run = 0
  while (at - run > start && text[at - run - 1] === '\\') run++
  return run
}

const brackets = /\\*["']|[{}[\]()]/gu

/** Where a container that opens at `start` is closed: after its last bracket, or the end of the text. */
export const containerEnd = (text: string, start: number, quoteLevel: number): number => {
  let depth = 0
  let quote: string | undefined
  brackets.lastIndex = start
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    const [token] = found
    if (/["']$/u.test(token)) {
      quote = quoteAfter(quote, token, quoteLevel)
      continue
    }
    if (quote !== undefined) continue
    depth += '{[('.includes(token) ? 1 : -1
    if (depth === 0) return brackets.lastIndex
  }
  return text.length
}

/** The quote that is open after a quote was met. */
const quoteAfter = (open: string | undefined, token: string, level: number): string | undefined => {
  const run = token.length - 1
  const isOfLevel = run % (2 * (level + 1)) === level
  if (!isOfLevel) return open
  if (open === undefined) return token.slice(-1)
  return token.endsWith(open) ? undefined : open
}

/** With the slash of a tag that closes, and of one that opens and closes. */
export const plainTags = /<!\[CDATA\[|<\\{0,8}(\/?)[\p{L}_][^<>]*?(\/?)>/gu

/**
 * Where the content of an XML element ends: before the tag that closes it.
 * @param tags as they are written, with the same groups as the plain ones.
 */
export const elementEnd = (text: string, start: number, tags: RegExp = plainTags): number | undefined => {
  let depth = 1
  tags.lastIndex = start
  for (let found = tags.exec(text); found !== null; found = tags.exec(text)) {
    const [tag, closes, closesItself] = found
    if (tag.startsWith('<!')) tags.lastIndex = endOf(text, ']]>', tags.lastIndex)
    else if (closes === '/') depth--
    else if (closesItself !== '/') depth++
    if (depth === 0) return found.index
  }
  return undefined
}
