import { textProblem } from '#platform/http/json-body.ts'

/** Of an answer so much is read (docs/delivery.md). */
const readBytes = 65_536
const longestNumber = 255

export interface AnsweredNumber {
  /** Exactly as the platform wrote it, however large; undefined when there is none that can be kept. */
  readonly number: string | undefined
  /** The answer is longer than what was read of it. */
  readonly isCut: boolean
}

/** The `number` of an answer, a text or an integer. In an answer that is cut, a number in the part that was read counts. */
export const answeredNumber = (body: string): AnsweredNumber => {
  // Some platforms begin with a byte order mark, which parsers may ignore (RFC 8259, section 8.1).
  const text = body.replace(/^\uFEFF/, '')
  const isWhole = valueOf(text) !== undefined
  const isCut = !isWhole && new TextEncoder().encode(body).length >= readBytes
  const value = isWhole || isCut ? memberOf(text, 'number') : undefined
  return { number: value === undefined ? undefined : keepable(value), isCut }
}

const plainInteger = /^-?(?:0|[1-9]\d*)$/

/** @param value as JSON. Parsed, a large integer would be another one. */
const keepable = (value: string): string | undefined => {
  const parsed = plainInteger.test(value) ? value : valueOf(value)
  const number = Number.isSafeInteger(parsed) ? String(parsed) : parsed
  if (typeof number !== 'string' || number.length > longestNumber || textProblem(number) !== undefined) return undefined
  return number.trim() === '' ? undefined : number.trim()
}

const tokens = /[\t\n\r ]*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\t\n\r "{}[\]:,]+)/gy
const depths: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

/** The last member of this name in JSON that may be cut, as it is written there. A member whose end is missing does not count. */
const memberOf = (text: string, name: string): string | undefined => {
  let depth = 0
  let [key, colon, value]: (string | undefined)[] = []
  let found: string | undefined
  for (const [, token = ''] of text.matchAll(tokens)) {
    const ends = depth === 1 && (token === ',' || token === '}')
    if (ends && colon === ':' && valueOf(key ?? '') === name) found = value
    depth += depths[token] ?? 0
    ;[key, colon, value] = [colon, value, token]
  }
  return found
}

/** What a JSON text says; undefined when it is none. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
