import { isSecretHeader } from './secret-names.ts'
import { matchAt, newLine } from './value-ends.ts'

/** Where a value without quotes stands: behind which name, and what separates the two. */
export interface BarePlace {
  readonly name: { readonly start: number; readonly word: string }
  /** The quote that closes the name, when one does. */
  readonly nameQuote: string | undefined
  /** In capitals: `:`, `=`, `=>`, `%3D`. */
  readonly sign: string
}

const plain = String.raw`(?:(?!-[{[<])[^\s&"'<>\\]|\\+(?!["'rn\\]))+`
const ofLine = String.raw`(?:[^\r\n\\]|\\(?![rn]))`
const schemes = '(?:Bearer|Basic|Token|JWT|Api-?Key)'

const afterQuotedName = /(?:(?!%2C|%7D|%5D)[^\s,}\]"'\\<&])+/iuy
const restOfLine = new RegExp(`${ofLine}+`, 'uy')
/** A header goes on in lines that begin with blanks (RFC 9112, obs-fold), which a header of its own does not. */
const folded = new RegExp(
  String.raw`${ofLine}*(?:${newLine}[ \t]+(?![ \t\r\n\\]|[\w-]{1,60}[ \t]{0,8}:[ \t])${ofLine}+)*`,
  'uy',
)
const phrase = /(?:[^\r\n\\,;&"'<>{}()[\]]|\\(?![rn"'\\])|\\\\)+/uy
const run = new RegExp(plain, 'uy')
const encodedRun = /(?:(?!%(?:25){0,4}(?:2[267]|7D))[^\s&"'<>\\])+/iuy
const scheme = new RegExp(String.raw`${schemes}[ \t]+[^\s"'<>\\]+`, 'iuy')
const toDoubleQuote = /[^"\r\n]+/uy
const toSingleQuote = /[^'\r\n]+/uy

const schemeInMap = new RegExp(String.raw`${schemes}[ \t]+[^\s"'<>\\,;&{}()[\]]+`, 'iuy')
/** Schemes whose parameters have commas between them, as members of a map do. */
const parameters = /(?:Digest|OAuth|Hawk|Signature|AWS4-[\w-]{1,40})[ \t]+(?:[^\r\n}\\]|\\(?![rn]))+/iuy
/** `{Cookie=a=1; b=2, Accept=…}`: up to the next member. */
const member = /(?:=\\*"[^"\r\n]*"|(?!,[ \t]{0,8}[\w.$-]{1,64}[ \t]{0,4}=)[^\r\n}"<>\\]|\\(?![rn"]))+/uy
const cookies = new RegExp(String.raw`${plain}(?:(?<=;)[ \t]+${plain})*`, 'uy')

/** Blanks and signs of lists and quotations before a name, but no mask: what it stands for would be text. */
const lineStart = /(?:\n|\\n)(?![^\n]*\*{3})[ \t<>*-]*$/u

/** The value that begins here. What closes the map or list in which it may stand is not part of it. */
export const bareValueAt = (text: string, at: number, place: BarePlace): string | undefined => {
  const block = blockAt(text, at, place)
  if (block !== undefined) return block
  const found = matchAt(patternFor(text, at, place), text, at)?.[0].trimEnd()
  if (found === undefined || place.sign === ':') return found
  return found.replace(/(?<=[^,;)}\]])[,;)}\]]{1,8}$/u, '')
}

/** How far a value without quotes goes: that depends on what kind of text its name stands in. */
const patternFor = (text: string, at: number, place: BarePlace): RegExp => {
  const { name, nameQuote, sign } = place
  if (sign.startsWith('%')) return encodedRun
  if (sign !== ':') return assigned(text, at, place)
  if (nameQuote !== undefined) return matchAt(schemeInMap, text, at) === null ? afterQuotedName : schemeInMap
  const before = textBefore(text, name.start)
  if (lineStart.test(before)) return isSecretHeader(name.word) && before.endsWith('\n') ? folded : restOfLine
  if (before.endsWith('"')) return toDoubleQuote
  if (before.endsWith("'")) return toSingleQuote
  return isSecretHeader(name.word) ? inLine(text, at, before + name.word) : phrase
}

/** A header in the middle of a line. The `n` of a line break that is written `\n` is read as part of its name. */
const inLine = (text: string, at: number, before: string): RegExp => {
  if (matchAt(scheme, text, at) !== null) return scheme
  return /\\n[\w-]+$/u.test(before.slice(-longestHeader)) ? folded : restOfLine
}
const longestHeader = 40

/** What comes behind `=` or `=>`: a parameter of a form, or a member of a map that Java or PHP has printed. */
const assigned = (text: string, at: number, { name, nameQuote, sign }: BarePlace): RegExp => {
  const isHeader = isSecretHeader(name.word)
  const before = textBefore(text, name.start)
  // `[Cookie] => …`, as print_r of PHP writes it, each in its line.
  if (isHeader && sign.endsWith('>') && /\[[ \t]*$/u.test(before)) return restOfLine
  if (matchAt(schemeInMap, text, at) !== null) return schemeInMap
  if (!isHeader) return nameQuote === undefined ? run : afterQuotedName
  if (matchAt(parameters, text, at) !== null) return parameters
  return sign.endsWith('>') || /[{[,][ \t]*$/u.test(before) ? member : cookies
}

const blockStart = new RegExp(String.raw`[|>][-+\d]{0,2}[ \t]*(?=${newLine})`, 'uy')
const blockLine = new RegExp(String.raw`${newLine}([ \t]*)(${ofLine}+|(?=${newLine}))`, 'uy')
const indentation = /(?:^|\n|\\n|["'])([ \t-]*)$/u
const longestIndentation = 40

/** `password: |`, as YAML writes it: the lines below that are indented further than the name, with empty ones between them. */
const blockAt = (text: string, at: number, { name, nameQuote, sign }: BarePlace): string | undefined => {
  if (sign !== ':' || nameQuote !== undefined || matchAt(blockStart, text, at) === null) return undefined
  const before = text.slice(Math.max(0, name.start - longestIndentation), name.start)
  // The `n` of a line break that is written `\n` is read as part of the name.
  const indent = before.endsWith('\\') ? 0 : indentation.exec(before)?.[1]?.length
  const end = indent === undefined ? undefined : blockEnd(text, blockStart.lastIndex, indent)
  return end === undefined ? undefined : text.slice(at, end)
}

const blockEnd = (text: string, start: number, indent: number): number | undefined => {
  let end: number | undefined
  let next = start
  for (let line = matchAt(blockLine, text, next); line !== null; line = matchAt(blockLine, text, next)) {
    const [, blanks = '', content] = line
    next = blockLine.lastIndex
    if (content !== '' && blanks.length <= indent) break
    if (content !== '') end = next
  }
  return end
}

/** A few characters before a name. The text begins like a line. */
const textBefore = (text: string, start: number): string =>
  `${start < 10 ? '\n' : ''}${text.slice(Math.max(0, start - 10), start)}`
