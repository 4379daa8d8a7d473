import type { NewFailure } from './new-failure.ts'
import { normalize, normalizeCode } from './normalize.ts'

/** One way of telling which failures have one cause. */
export interface Algorithm {
  /** Stored with each group. A change of what `partsOf` answers is a new algorithm with the next version. */
  readonly version: number
  readonly partsOf: (failure: NewFailure) => FingerprintParts
}

export interface FingerprintParts {
  /** The same for failures with one cause. */
  readonly key: string
  /** The error code without what changes from failure to failure. */
  readonly codePattern: string
}

/** Characters of the normalized answer that count: what comes later is mostly a stack trace. */
const answerLength = 200
/** The same of the description. It says what happened, and so do differences further behind. */
const descriptionLength = 500
/**
 * Ids are longer than their signs: of a text as it came, so much is looked at for each character that counts, and only where that
 * is not enough so much more. What is cut there may be a part of an id, so it must not count.
 */
const readFactor = { little: 8, much: 40 }
const longestPart = 64

const beginningOf = (text: string, length: number): string => {
  const little = readFactor.little * length
  const some = normalize(text.slice(0, little))
  const isEnough = text.length <= little || some.length >= length + longestPart
  return (isEnough ? some : normalize(text.slice(0, readFactor.much * length))).slice(0, length)
}

const partsOf = ({ channelId, actionContentType, errorCode, errorDesc, rawResponse }: NewFailure): FingerprintParts => {
  const codePattern = normalizeCode(errorCode)
  const description = beginningOf(errorDesc, descriptionLength)
  const answer = beginningOf(rawResponse ?? '', answerLength)
  return { key: JSON.stringify([channelId, actionContentType, description, codePattern, answer]), codePattern }
}

/**
 * Algorithm 3: channel, kind of the action, the beginnings of description and answer, and the code, all without ids, dates,
 * counters, amounts, durations and addresses, because clients make each code unique (`{batch id}-Channel-{class}-{time}`).
 * Groups of earlier ones stay as they are: 1 took short numbers behind capitals and behind `#` for causes; 2 those behind `_`,
 * and did not know IPv6, MAC and host names with numbers, durations of several parts, and months in German and Turkish.
 */
export const currentAlgorithm: Algorithm = { version: 3, partsOf }
