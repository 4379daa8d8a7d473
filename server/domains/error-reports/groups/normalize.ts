const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const day = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?[ ]+)?'
const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AP]M)?`
const zone = String.raw`(?:\s?(?:Z|UTC|GMT)(?![A-Za-z])|\s?[+-]\d{2}:?\d{2}(?!\d))?`

/**
 * What changes from failure to failure, in the order in which it is replaced. The third is a part of it that is found
 * much faster: where it is not, nothing has to be replaced.
 */
const changing: readonly (readonly [pattern: RegExp, sign: string, part?: RegExp])[] = [
  [/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/giu, '<id>', /-[\da-f]{4}-/iu],
  [new RegExp(String.raw`(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)(?:[T _-]?${time}${zone})?`, 'giu'), '<time>'],
  [new RegExp(String.raw`(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)(?:[T _]${time}${zone})?`, 'giu'), '<time>'],
  [
    new RegExp(String.raw`\b${day}\d{1,2}[ -]${month}[ -]\d{4}(?: ${time}${zone})?`, 'giu'),
    '<time>',
    new RegExp(String.raw`\d[ -]${month}`, 'iu'),
  ],
  [new RegExp(String.raw`\b${day}${month} +\d{1,2},?(?: ${time}${zone})?(?: \d{4})?`, 'gu'), '<time>'],
  [new RegExp(String.raw`(?<![\d:])${time}${zone}(?![\d:])`, 'giu'), '<time>'],
  [/\b0x[\da-f]+/giu, '<hex>'],
  // No word of a language has eight letters from a to f.
  [/(?<![\p{L}\d])(?=[\da-f]{0,64}[a-f])[\da-f]{8,}(?![\p{L}\d])/giu, '<hex>'],
  // Random ids have digits among their letters.
  [/(?<![\p{L}\d])(?=(?:[A-Za-z]*\d){3})[A-Za-z\d]{16,64}(?![\p{L}\d])/gu, '<id>', /\d[A-Za-z]*\d[A-Za-z]*\d/u],
  [/\d{5,}(?:\.\d+)?/gu, '#'],
]

/** A number that says what happened: `status: 404`, `HTTP 502`, `"code": 17`, `500 Server Error`, `ORA-942`. */
const meaningful =
  /(?:\b(?:status(?:[ _-]?code)?|code|error(?:[ _-]?(?:code|no))?|errno|http(?:\/\d(?:\.\d)?)?|sqlstate|exit|signal)["']?[ ]?[:=(]?[ ]?["']?|[A-Z]{2,}-)$/iu
const reason = /^ (?:[A-Z][a-z]|[A-Z]{2})/u
const freeNumber = /(?<![\p{L}\d_<#])-?\d{1,4}(?:[.,]\d+)?(?=(?:ms|s|sec|m|h|[kmg]?b)?(?![\p{L}\d_]))/giu

/**
 * A text without what changes from failure to failure with the same cause: UUIDs and other ids, dates and times,
 * counters, addresses in memory, long numbers. Numbers that are a part of a word stay, and those that say what happened.
 */
export const normalize = (text: string): string => {
  const replaced = withoutChanging(text)
  return replaced
    .replaceAll(freeNumber, (number: string, at: number) => (isMeaningful(replaced, at, number) ? number : '#'))
    .replaceAll(/\s{2,}|[^\S ]/gu, ' ')
    .trim()
}

const withoutChanging = (text: string): string =>
  changing.reduce(
    (current, [pattern, sign, part]) =>
      part === undefined || part.test(current) ? current.replaceAll(pattern, sign) : current,
    text,
  )

const isMeaningful = (text: string, at: number, number: string): boolean =>
  meaningful.test(text.slice(Math.max(0, at - 24), at)) ||
  (/^[1-5]\d\d$/u.test(number) && reason.test(text.slice(at + number.length, at + number.length + 3)))

/** The id of a batch before a code, whatever it looks like: clients put it before one of these words. */
const batchBefore = /^.+?(?=-(?:Channel|Omnitron)-)/u
const changed = /^(?:#|<id>|<hex>|<time>)$/u

/**
 * An error code without what changes. Short numbers stay, as they tell codes apart (`integrations_200_10_1`), except at
 * the ends of a code that begins with an id: there they are ids and counters.
 */
export const normalizeCode = (code: string): string => {
  const parts = withoutChanging(code.trim())
    .replace(batchBefore, '#')
    .replaceAll(/<id>|<hex>|<time>/gu, '#')
    .split('-')
  const [first = '', ...rest] = parts
  if (rest.length === 0 || !(changed.test(first) || (/^\d+$/u.test(first) && hasLetters(rest)))) return parts.join('-')
  return ['#', ...rest.map((part) => part.replace(/^\d+(?:\.\d+)?$/u, '#'))].join('-')
}

const hasLetters = (parts: readonly string[]): boolean => parts.some((part) => /\p{L}/u.test(part))
