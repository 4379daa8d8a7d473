import type { Report } from './report.ts'

type Texts = Pick<Report, 'errorCode' | 'errorDesc' | 'rawRequest' | 'rawResponse'>

/** Of a raw text. Causes stand at its beginning, and every word costs the creation of a report some µs. */
const searchedCharacters = 1_000
/** So that no word is too long for an index. */
const longestWord = 64

/**
 * The words that a report is found by: of its description and code, where `ReadTimeout` is `read` and `timeout` as
 * well, and of the beginnings of what was sent and answered. Each once.
 */
export const searchWordsOf = ({ errorCode, errorDesc, rawRequest, rawResponse }: Texts): string[] => {
  const named = `${errorDesc.slice(0, searchedCharacters)} ${errorCode}`
  const raws = [rawRequest, rawResponse].map((text) => (text ?? '').slice(0, searchedCharacters))
  return wordsIn([named, named.replaceAll(humps, '$1 $2'), ...raws].join(' '))
}

/** Runs of letters and digits in lower case, each once. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .match(words)
      ?.map((word) => word.slice(0, longestWord)),
  ),
]

const words = /[\p{L}\p{N}\p{M}]+/gu
const humps = /([\p{Ll}\p{N}])(\p{Lu})/gu
