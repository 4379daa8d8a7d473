import { isSecretAt } from './secret-names.ts'
import { matchAt, quotedEnd, type Span } from './value-ends.ts'

const quote = String.raw`\\{0,15}["']`
const sign = String.raw`\s{0,8}(?::|=>?)\s{0,8}`
const gap = String.raw`[\s,]{1,40}`
/** Members that stand between the two that count. Bounded, as everything here is, so that no text takes long. */
const others = String.raw`(?:${gap}(?:${quote})?[\w.-]{1,40}(?:${quote})?${sign}(?:${quote}[^"'\\]{0,200}${quote}|[\w.+-]{1,40})){0,4}?`
const thenValue = String.raw`${quote}${others}${gap}(?:${quote})?(?:val(?:ue)?|content)(?:${quote})?${sign}`

const afterName = new RegExp(thenValue, 'iuy')
const afterKey = new RegExp(String.raw`(?:${quote})?${sign}${quote}[^"'\\]{1,100}${thenValue}`, 'iuy')
const beforeValue = new RegExp(String.raw`(?:${quote})?${sign}(?:(${quote})|(?=\d))`, 'iuy')
const number = /[\d.]{1,40}/uy
const afterValue = new RegExp(
  String.raw`(?:${quote})?${others}${gap}(?:${quote})?(?:name|key|field|header|parameter)(?:${quote})?${sign}${quote}([^"'\\]{1,100})${quote}`,
  'iuy',
)

/** Where the value begins in `{"name": "token", …, "value": …}`, given where the content of the name ends. */
export const valueAfterName = (text: string, end: number): number | undefined =>
  matchAt(afterName, text, end) === null ? undefined : afterName.lastIndex

/** Whether `key`, which ends here, says the name of what stands beside it as `value`, and is no secret itself. */
export const isKeyOfEntry = (text: string, end: number): boolean => matchAt(afterKey, text, end) !== null

/** The value in `{"value": "…", …, "name": "token"}`, given where the word `value` ends, with the name that comes after it. */
export const valueBeforeName = (text: string, end: number): (Span & { readonly name: string }) | undefined => {
  const found = matchAt(beforeValue, text, end)
  if (found === null) return undefined
  const start = beforeValue.lastIndex
  const [, opening] = found
  const valueEnd = opening === undefined ? endOfNumber(text, start) : quotedEnd(text, start, opening)
  const name = matchAt(afterValue, text, valueEnd)?.[1]
  return name === undefined || !isSecretAt(text, start, name) ? undefined : { start, end: valueEnd, name }
}

const endOfNumber = (text: string, start: number): number => start + (matchAt(number, text, start)?.[0].length ?? 0)
