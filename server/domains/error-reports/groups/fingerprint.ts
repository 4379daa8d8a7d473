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
/** Of the answer as it came, this much is looked at. */
const readLength = 2_000

const partsOf = ({ channelId, actionContentType, errorCode, errorDesc, rawResponse }: NewFailure): FingerprintParts => {
  const codePattern = normalizeCode(errorCode)
  const answer = normalize((rawResponse ?? '').slice(0, readLength)).slice(0, answerLength)
  const description = normalize(errorDesc.slice(0, readLength))
  return { key: JSON.stringify([channelId, actionContentType, description, codePattern, answer]), codePattern }
}

/**
 * Algorithm 1: channel, kind of the action, description, code, and the beginning of the answer, the texts without ids,
 * dates, counters and the like, because clients make each code unique (`{batch id}-Channel-{class}-{time}`).
 */
export const currentAlgorithm: Algorithm = { version: 1, partsOf }
