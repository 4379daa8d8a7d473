import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt } from './secret-names.ts'
import { containerEnd, matchAt, newLine } from './value-ends.ts'
import { valueOf, type Name, type Place } from './values.ts'

/** Behind a name, as var_dump and print_r of PHP write members: `"name"]=>`, `"name":protected]=>`, `name:App\User:private] =>`. */
const afterName =
  /(\\*["'])?(:(?:(?:\\*["'])?[\w\\]{1,200}(?:\\*["'])?:)?(?:protected|private))?\]?[ \t]{0,4}=>(?:\s|\\[rn]){0,80}/uy
const string = /string(?:\((\d{1,9})\))?[ \t](\\*["'])/uy
const number = /(?:int|integer|float|double)\([^()\r\n]{1,40}\)/uy
const container = /(?:array|object)\([^()\r\n]{1,200}\)(?:#\d{1,9})?(?:[ \t]\(\d{1,9}\))?[ \t](?:(?=\{)|\*{3})/uy
const nothing = /(?:NULL|bool\(|bool(?:ean)?[ \t]|enum\(|uninitialized\()/uy

/** Quotes inside are not quoted: without a length that is right one tells its end by the end of the line. */
const endOfText = new RegExp(String.raw`(?<!\\)\\*["'](?=[ \t]*(?:\(length=|${newLine}|$))`, 'gu')

/** What PHP dumps under this name. @returns undefined when this is no such dump; without a `secret` when it is, but of none. */
export const dumpedOf = (text: string, name: Name): { readonly secret?: Replacement } | undefined => {
  const found = matchAt(afterName, text, name.end)
  if (found === null) return undefined
  const at = afterName.lastIndex
  const [, nameQuote, visibility] = found
  const place: Place = { name, nameQuote, sign: '=>' }
  if (matchAt(nothing, text, at) !== null) return {}
  const secret = textAt(text, at, name) ?? numberAt(text, at, name) ?? containerAt(text, at, place)
  if (secret !== undefined) return secret.end > secret.start ? { secret } : {}
  if (visibility === undefined) return undefined
  const value = valueOf(text, at, place)
  return value === undefined ? {} : { secret: value }
}

/** Without any length when there is no secret in it. */
const textAt = (text: string, at: number, { word }: Name): Replacement | undefined => {
  const found = matchAt(string, text, at)
  if (found === null) return undefined
  const start = string.lastIndex
  const [, length, quote = ''] = found
  const isNone = text.startsWith(mask + quote, start) || !isSecretAt(text, start, word)
  return { start, end: isNone ? start : textEnd(text, start, start + Number(length ?? -1), quote), mask }
}

const textEnd = (text: string, start: number, byLength: number, quote: string): number =>
  byLength >= start && text.startsWith(quote, byLength)
    ? byLength
    : (matchAt(endOfText, text, start)?.index ?? text.length)

const numberAt = (text: string, at: number, { word }: Name): Replacement | undefined => {
  const found = matchAt(number, text, at)
  if (found === null) return undefined
  const isNone = !isSecretAt(text, at + found[0].indexOf('(') + 1, word)
  return { start: at, end: isNone ? at : number.lastIndex, mask }
}

/** Of several values no name that has other meanings makes a secret. */
const containerAt = (text: string, at: number, { name, nameQuote = '' }: Place): Replacement | undefined => {
  const found = matchAt(container, text, at)
  if (found === null) return undefined
  const start = container.lastIndex
  const isNone = found[0].endsWith(mask) || name.kind === 'vague'
  return { start, end: isNone ? start : containerEnd(text, start, Math.max(0, nameQuote.length - 1)), mask }
}
