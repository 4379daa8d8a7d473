import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretHeader, saysOnlySecret } from './secret-names.ts'
import { matchAt, newLine } from './value-ends.ts'
import { isOrdinary, type Name } from './values.ts'

/** Names of headers are such. */
export const wordsWithHyphens = /^[A-Za-z]{1,15}(?:-[A-Za-z]{1,15})*$/u

const endOfRow = new RegExp(String.raw`\\*["'][ \t]{0,8}(?:${newLine}|\\*["']|$)`, 'uy')

/** The second of two columns, when the first one is the name of a secret. Names in both are the heads of a table. */
export const rowOfTwo = (text: string, value: Replacement | undefined, word: string): Replacement | undefined => {
  if (value === undefined || matchAt(endOfRow, text, value.end) === null) return undefined
  const content = text.slice(value.start, value.end)
  if (content.includes(mask)) return undefined
  if (isSecretHeader(word)) return wordsWithHyphens.test(content) ? undefined : value
  return saysOnlySecret(word) && !isOrdinary(content) ? value : undefined
}

const startOfColumn = /^[\n\r\t]?$/u
const cell = /(?:\t|\\t)((?:(?!\\[rnt])[^\s"])+)(?=[\r\n\t"\\]|$)/uy
const lastCell = /(?:\t|\\t)((?:(?!\\[rnt])[^\r\n\t"])+)/uy

/** What stands in the next column behind a name that says nothing else than a secret. */
export const tabbedOf = (text: string, name: Name): Replacement | undefined => {
  if (!isColumn(text, name) || !saysOnlySecret(name.word)) return undefined
  const [all, value = ''] = matchAt(isSecretHeader(name.word) ? lastCell : cell, text, name.end) ?? []
  if (all === undefined || isOrdinary(value) || value.includes(mask)) return undefined
  const end = name.end + all.length
  return { start: end - value.length, end, mask }
}

const isColumn = (text: string, { start, end, word }: Name): boolean => {
  if (text[end] !== '\t' && !text.startsWith('\\t', end)) return false
  // The letter of a line break or tab that is written `\n` or `\t` is read as part of the name.
  return text[start - 1] === '\\' ? /^[nrt]/u.test(word) : startOfColumn.test(text[start - 1] ?? '')
}
