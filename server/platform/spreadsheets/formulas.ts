import { cellStarts, formulaStarts } from './table-file.ts'

const anyOf = (signs: readonly string[]): string => `[${signs.map((sign) => `\\${sign}`).join('')}]`
const shown = formulaStarts.filter((sign) => sign.trim() !== '')

/** A text that a spreadsheet takes for a formula, or that is one that was made safe, any number of times. */
const atStart = new RegExp(`^'*${anyOf(formulaStarts)}`)
/** The same behind what some spreadsheets begin a cell with. */
const within = (apostrophe: string): RegExp =>
  new RegExp(`(${anyOf(cellStarts)}"*)${apostrophe}(?='*${anyOf(shown)})`, 'g')
const [behindStart, behindApostrophe] = [within(''), within("'")]

/** Makes a text of csv no formula, by a `'` in front, in such a way that `unescapeFormulas` gives it back whatever it is. */
export const escapeFormulas = (text: string): string => {
  const inside = text.replaceAll(behindStart, "$1'")
  return atStart.test(text) ? `'${inside}` : inside
}

/** A text of csv as it was before it was made safe. What nobody made safe stays as it is, unless it looks like that. */
export const unescapeFormulas = (text: string): string => {
  const outside = text.startsWith("'") && atStart.test(text) ? text.slice(1) : text
  return outside.replaceAll(behindApostrophe, '$1')
}
