/** What decides about the group of a new report. */
export interface NewFailure {
  readonly channelId: number | null
  readonly actionContentType: number
  readonly errorCode: string
  readonly errorDesc: string
  /** As it is stored: masked and cut. */
  readonly rawResponse: string | null
  readonly objModifiedDate: Date
  /** Created resolved: a log of success, which has no group. */
  readonly isOk: boolean
  readonly createdAt: Date
}

/** One way of telling which failures have one cause. */
export interface Algorithm {
  /** Stored with each group. A change of what `partsOf` answers is a new algorithm with the next version. */
  readonly version: number
  readonly partsOf: (failure: NewFailure) => FingerprintParts
}

export interface FingerprintParts {
  /** Equal for failures with one cause. */
  readonly key: string
  /** The error code without what changes from failure to failure. */
  readonly codePattern: string
}

const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'

/** What changes from failure to failure with the same cause. No other numbers: `HTTP 404`, `ORA-00942` and `1205` are causes. */
const changing = new RegExp(
  [
    // UUIDs, and dates with times: `2026-11-21T09:30:00Z`, `21.11.2026`, `21 Nov 2026 09:30:00 GMT`.
    String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}`,
    String.raw`(?<!\d)(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[T _]?${time})?(?!\d)`,
    String.raw`\b(?:[A-Z][a-z]{2}, )?\d{1,2} ${month} \d{4}(?:,? ${time})?`,
    String.raw`(?<![\d:])${time}(?![\d:])`,
    // Hexadecimal numbers. No word of a language has eight letters from a to f.
    String.raw`\b0x[\da-f]+|(?<![\p{L}\d])(?=[\da-f]{0,64}[a-f])[\da-f]{8,}(?![\p{L}\d])`,
    // Ids: what stands behind `#` or `id`, and long words of letters and digits.
    String.raw`(?<=#|(?<![\p{L}\d])ids?["']?[ :=([]{0,3}["']?)\d+`,
    String.raw`(?<![\p{L}\d])(?=(?:[a-z]*\d){3})[a-z\d]{16,}(?![\p{L}\d])`,
    // Long numbers.
    String.raw`\d{6,}(?:[.,]\d+)?`,
  ].join('|'),
  'giu',
)

/** A text without what changes from failure to failure. */
const normalize = (text: string): string => text.replaceAll(changing, '#').replaceAll(/\s+/gu, ' ').trim()

/** The id of a batch before a code: the clients of channels write `{batch id}-Channel-{class}-{time}`. */
const batch = /^.+?(?=-(?:Channel|Omnitron)-)/u

/** Characters of normalized texts that count. What comes later in an answer is mostly a stack trace. */
const descriptionLength = 500
const answerLength = 200
/** Ids are longer than their sign, so more is read than counts. */
const readFactor = 8

/** A word that is cut may be a part of an id, so it does not count. */
const beginningOf = (text: string, length: number): string => {
  const most = readFactor * length
  const read = text.length > most ? text.slice(0, most).replace(/\S{1,64}$/u, '') : text
  return normalize(read).slice(0, length)
}

const partsOf = ({ channelId, actionContentType, errorCode, errorDesc, rawResponse }: NewFailure): FingerprintParts => {
  const codePattern = normalize(errorCode.replace(batch, '#'))
  const description = beginningOf(errorDesc, descriptionLength)
  const answer = beginningOf(rawResponse ?? '', answerLength)
  return { key: JSON.stringify([channelId, actionContentType, description, codePattern, answer]), codePattern }
}

/**
 * Algorithm 4: channel, kind of the action, code, and the beginnings of description and answer, without UUIDs, dates and times,
 * hexadecimal numbers, ids, and numbers of six digits or more. Groups of earlier ones, which left out more, stay as they are.
 */
export const currentAlgorithm: Algorithm = { version: 4, partsOf }
