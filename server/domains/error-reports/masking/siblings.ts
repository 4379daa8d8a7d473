import { isName } from './identifiers.ts'
import { type Replacement } from './replace-spans.ts'
import { mask } from './replacements.ts'
import { isSecretAt, secretName } from './secret-names.ts'
import { asEntities, asIs, closedAt, unclosedEnd, type Reading, type Tags } from './tags.ts'
import { matchAt } from './value-ends.ts'
import { isOrdinary, type Name } from './values.ts'

const nameTags = 'key|name|string|field|header|param(?:eter)?|property|attribute'
const valueTags = 'value|val|content|string|data|integer|int|real|date|array|dict|true|false'
/** What a property list (Apple) has under a name. */
const ofPropertyList = /^(?:string|data|integer|real|date|array|dict|true|false)$/u
const blank = String.raw`(?:\s|\\[rnt])`
const any = String.raw`[\p{L}_][\w:.-]{0,60}`

/** A name as the content of one element, and the start of the one that has its value. All is bounded, so that no text takes long. */
const patternOf = ({ less, greater }: Tags, values: string, others: number): RegExp => {
  const quotedWith = (quote: string) => `${quote}(?:(?!${less}|${greater})[^<>${quote}]){0,200}${quote}`
  const inTag = `(?:${quotedWith('"')}|${quotedWith("'")}|(?!${less}|${greater})[^<>"'])`
  const inText = `(?:(?!${less})[^<])`
  const rest = String.raw`(?:[\s\\]${inTag}{0,200})?${greater}`
  const closing = (of: string) => String.raw`${less}\\{0,8}/(?:[\w.-]{1,40}:)?(?:${of})\s{0,4}${greater}`
  const space = String.raw`(?:[\w.-]{1,40}:)?`
  const border = String.raw`(?![\w.:-])`
  const other = `${blank}{0,40}${less}(?!${space}(?:${values})${border})${any}${rest}${inText}{0,200}${closing(any)}`
  const name = `(?:<!\\[CDATA\\[|${less}${any}${rest})?(?<label>(?:(?!${less})[^<"'=&]){1,200})(?=${less})(?:${closing(any)}${blank}{0,40})?`
  return new RegExp(
    `${rest}${blank}{0,40}${name}${closing(`(?<closed>${nameTags})`)}` +
      `(?<between>(?:${other}){0,${others}}?${blank}{0,40}${less}${space}(?<kind>${values})${border}(?:[\\s\\\\/]${inTag}{0,200})?${greater})`,
    'iuy',
  )
}

interface Patterns {
  readonly pair: RegExp
  /** In an `entry`, as XStream writes it, two of any kind are a name and its value. */
  readonly entry: RegExp
  readonly beforeEntry: RegExp
  /** What may stand between the tag and the value itself. */
  readonly wrapper: RegExp
}

const patternsOf = (tags: Tags): Patterns => ({
  pair: patternOf(tags, valueTags, 3),
  entry: patternOf(tags, any, 0),
  beforeEntry: new RegExp(
    String.raw`${tags.less}(?:[\w.-]{1,40}:)?entry(?:\s[^<>]{0,80})?${tags.greater}${blank}{0,40}${tags.less}$`,
    'iu',
  ),
  wrapper: new RegExp(String.raw`\s{0,40}(?:<!\[CDATA\[|${tags.less}${any}${tags.greater})?\s{0,40}`, 'iuy'),
})
const plain = patternsOf(asIs)
const withEntities = patternsOf(asEntities)

/** Whether an element of this name may hold the name of what stands in the next one. */
export const isNameTag = (word: string): boolean => nameTag.test(word)
const nameTag = new RegExp(`^(?:${nameTags})$`, 'iu')

/**
 * The value in `<name>password</name><value>…</value>`, given the word in the first tag.
 * @returns undefined when these are no name and value; without a `secret` when they are, but no secret.
 */
export const siblingOf = (
  text: string,
  word: Word,
  tags: Tags,
  reading: Reading,
): { readonly secret?: Replacement } | undefined => {
  const found = pairAt(text, word, tags)
  if (found === undefined) return undefined
  const { label, between, kind, from, wrapper } = found
  const isInList = ofPropertyList.test(kind)
  const name = isInList && isKey.test(word.word) ? label : lastWordOf(label)
  if (!isSecretAt(text, from + wrapper, name)) return noSecret(isInList || isName(label, 2))
  const end = isEmpty(between, kind, tags) ? from : endOf(text, from, tags, reading)
  if (isNoValue(text.slice(from, end).trim(), name, label)) return {}
  return { secret: { start: from - between.length, end, mask: `${reading.maskTag(between)}${mask}` } }
}

/** What is next to a key that looks like one says no name of it. */
const noSecret = (isPair: boolean) => (isPair ? {} : undefined)

const isEmpty = (tag: string, kind: string, tags: Tags): boolean =>
  tags.selfClosing.test(tag) || /^(?:true|false)$/iu.test(kind)

/** `Piano key` names a key of another kind. */
const isNoValue = (value: string, name: string, label: string): boolean =>
  value === '' || (name !== label && secretName(name) === 'weak' && isOrdinary(value))

type Word = Pick<Name, 'start' | 'end' | 'word'>

/** @returns what is in the first element, what stands from there to the content of the other one, and how much of that is another tag. */
const pairAt = (text: string, word: Word, tags: Tags) => {
  const { wrapper, ...patterns } = tags === asIs ? plain : withEntities
  const pattern = patternFor(text, word, patterns)
  const groups = pattern && matchAt(pattern, text, word.end)?.groups
  if (pattern === undefined || groups === undefined) return undefined
  const group = (name: string): string => groups[name] ?? ''
  if (group('closed').toLowerCase() !== word.word.toLowerCase()) return undefined
  const from = pattern.lastIndex
  const skipped = matchAt(wrapper, text, from)?.[0].length ?? 0
  return { label: trimmed(group('label')), between: group('between'), kind: group('kind'), from, wrapper: skipped }
}

const patternFor = (text: string, { start, word }: Word, of: Omit<Patterns, 'wrapper'>): RegExp | undefined => {
  if (word.toLowerCase() !== 'string') return of.pair
  return of.beforeEntry.test(text.slice(Math.max(0, start - 200), start)) ? of.entry : undefined
}

const isKey = /^key$/iu

const trimmed = (label: string): string =>
  label.replaceAll(/^(?:\s|\\[rnt])+|(?:\s|\\[rnt]|\]\]>|:)+$/gu, '').replace(/\s?\([^()]*\)$/u, '')

/** A label names what its last word says: `Client secret` is one, and `Password reset e-mail` is none. */
const lastWordOf = (label: string): string => label.split(/\s/u).at(-1) ?? ''

const endOf = (text: string, from: number, tags: Tags, reading: Reading): number => {
  const to = closedAt(text, from, tags, reading)
  if (to !== undefined) return to
  const line = unclosedEnd(text, from, tags)
  return reading.isCut || line === from ? text.length : line
}
