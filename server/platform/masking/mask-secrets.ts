import { mask, maskNamedValues } from './named-values.ts'

/**
 * A text without its secrets, each replaced by `***`: what has the name of one in JSON, forms, XML and header lines, and what is
 * one by its own form. The same again changes nothing. Takes time in proportion to the length of the text.
 */
export const maskSecrets = (text: string): string => maskNamedValues(maskKnownForms(text))

/** Before a secret: no letter or digit, unless it is the end of an escape, as in `\n` and `%22`. */
const border = String.raw`(?<=^|[^A-Za-z\d]|\\[nrt]|%[\dA-F]{2})`

/**
 * Keys that say themselves whose they are, with as many characters behind as tell them from a word. They are masked to the end of
 * the word, so that its rest begins no other.
 */
const keys = [
  String.raw`wb[lkr]_[\w-]{16,}`,
  String.raw`whs(?:ec|k)_[\w+/-]{16,}={0,2}`,
  // AWS, GitHub, GitLab, Slack, Stripe
  String.raw`A[KS]IA[A-Z\d]{16,}`,
  String.raw`gh[pousr]_[A-Za-z\d]{16,}|github_pat_\w{16,}`,
  String.raw`gl(?:pat|ptt|dt|rt)-[\w-]{16,}`,
  String.raw`xox[abceoprs]-[\w-]{16,}|xapp-\d-[\w-]{16,}|hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{16,}`,
  String.raw`[srp]k_(?:live|test)_[A-Za-z\d]{16,}`,
  // Google, npm, OpenAI and Anthropic, SendGrid, Shopify
  String.raw`AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}`,
  String.raw`npm_[A-Za-z\d]{30,}`,
  String.raw`sk-(?:proj-|ant-|svcacct-)?[\w-]{32,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`shp(?:at|ss|ca|pa)_[\w-]{16,}`,
].join('|')

/** `Basic authentication` and `Bearer token` name a thing. Case tells a word from a credential, so the pattern must heed it. */
const plainWord = String.raw`(?:[A-Z]?[a-z]+|[A-Z]+)[.=]*(?![\w.~+/=-])`

const secrets: readonly RegExp[] = [
  /(?<=-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?!-----END).+?(?=-----END|$)/gsu,
  // A JWT begins with `{"` in base64url.
  /(?:(?<![\w-])|(?<=\\[nrt]|%[\dA-F]{2}))eyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)*/gu,
  new RegExp(String.raw`${border}(?:${keys})[\w-]*`, 'gu'),
  new RegExp(
    String.raw`(?<=\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?:[ \t]|%20|\+))(?!${plainWord})[\w.~+/=-]{6,}`,
    'gu',
  ),
]

/** Groups as on the card: 4-4-4-4, 4-6-5, 4-6-4, and 4-4-4-4-3. */
const cards = new RegExp(
  String.raw`${border}(?<![\d.,])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -]?)\d{6}\2\d{4,5})(?![A-Za-z\d]|[.,]\d)`,
  'gu',
)
/** Numbers that schemes have issued (ISO/IEC 7812): Visa, Mastercard, Amex, Diners, and Discover, UnionPay, JCB, Troy, Mir. */
const issued =
  /^(?:4(?:\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:6[0245]|35|81|97)\d{14})$/u

/** The sum of the digits, of which every second from the right is doubled, is a multiple of 10 (ISO/IEC 7812-1). */
const hasCheckDigit = (number: string): boolean => {
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (1 + (place % 2))
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const isCard = (text: string): boolean => {
  const number = text.replaceAll(/\D/gu, '')
  return issued.test(number) && hasCheckDigit(number)
}

/** The login in a URL ends at the last `@` before the path. */
const login = /(?<=:(?:\\?\/){2})[^\s/"'<>?#\\]+(?=@)/gu

/** Masks what is a secret by its own form, wherever it stands, in time in proportion to the length of the text. */
const maskKnownForms = (text: string): string =>
  [...secrets, login].reduce(
    (rest, secret) => rest.replaceAll(secret, mask),
    text.replaceAll(cards, (number) => (isCard(number) ? mask : number)),
  )
