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

/** The `number` of an answer, a text or an integer. */
export const answeredNumber = (body: string): AnsweredNumber => {
  // Some platforms begin with a byte order mark, which parsers may ignore (RFC 8259, section 8.1).
  const answer = parsed(body.replace(/^\uFEFF/, ''))
  const { number } = Object(answer) as { readonly number?: unknown }
  return { number: keepable(number), isCut: answer === undefined && Buffer.byteLength(body) >= readBytes }
}

const keepable = (value: unknown): string | undefined => {
  const number = Number.isSafeInteger(value) ? String(value) : value
  if (typeof number !== 'string' || number.length > longestNumber || textProblem(number) !== undefined) return undefined
  return number.trim() === '' ? undefined : number.trim()
}

/** What a JSON text says, with its integers as texts: a large one would be another number. Undefined when it is none. */
const parsed = (text: string): unknown => {
  const exact = (_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    /^-?(?:0|[1-9]\d*)$/.test(source) ? source : value
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown)
  } catch {
    return undefined
  }
}
