import { UnreadableSheet } from './unfolded-size.ts'

/** hucre looks at all of a tag again with each block of it. Characters as they are can be those of a cell, which has 32,767 at most. */
const maxMarkupBytes = 256 * 1024

const sheetTag = /<(?:[^\s<>/:]+:)?worksheet[\s/>]/
const textsTag = /<(?:[^\s<>/:]+:)?sst[\s/>]/
const textTag = /<(?:[^\s<>/:]+:)?si[\s/>]/g

/** A comment, characters as they are, an instruction, a declaration, or a tag: its slash, its name and what else it says. */
const markup =
  /<(?:!--[^]*?--|!\[CDATA\[[^]*?\]\]|\?[^]*?\?|!(?!--|\[)[^<>]*|(\/?)([^\s<>/!?]+)((?:[^<>"']*(?:"[^<"]*"|'[^<']*'))*[^<>"']*))>/y
const isOfSharedText = /\st\s*=\s*["']s["']/

/**
 * Looks whether the sheets among these parts are whole: every tag is closed by its own, and every text that a cell names is there. hucre
 * would answer the rows before the end of half a sheet, and a cell of nothing where a text is missing. @throws UnreadableSheet.
 */
export const checkSheets = (parts: readonly Buffer[]): void => {
  // Bytes as characters: what is looked for is ASCII, also in UTF-8.
  const contents = parts.map((part) => part.toString('latin1'))
  const lastText = contents
    .filter((content) => sheetTag.test(content))
    .reduce((last, sheet) => Math.max(last, checkSheet(sheet)), -1)
  if (lastText < 0) return
  const texts = contents.find((content) => textsTag.test(content)) ?? ''
  if (lastText >= countUpTo(lastText + 1, texts))
    throw new UnreadableSheet('A cell is a text that the file does not have.')
}

/** @returns which shared text is the last one that a cell is; -1 when none is. */
const checkSheet = (sheet: string): number => {
  const open: string[] = []
  let lastText = -1
  let isText = false
  let behind = 0
  for (let at = sheet.indexOf('<'); at !== -1; at = sheet.indexOf('<', behind)) {
    const [, slash, tag, rest = ''] = markupAt(sheet, at)
    if (tag !== undefined && slash === '') {
      if (isCalled(tag, 'c')) isText = isOfSharedText.test(rest)
      if (!rest.endsWith('/')) open.push(tag)
    } else if (tag !== undefined) {
      if (open.pop() !== tag) throw new UnreadableSheet('A tag of the sheet is not closed.')
      if (isText && isCalled(tag, 'v')) lastText = Math.max(lastText, indexIn(sheet.slice(behind, at)))
    }
    behind = markup.lastIndex
  }
  if (open.length > 0) throw new UnreadableSheet('The sheet ends in the middle.')
  return lastText
}

const markupAt = (sheet: string, at: number): RegExpExecArray => {
  markup.lastIndex = at
  const found = markup.exec(sheet)
  if (found === null || found[0].length > maxMarkupBytes) throw new UnreadableSheet('A tag of the sheet is broken.')
  return found
}

const isCalled = (tag: string, name: string): boolean => tag === name || tag.endsWith(`:${name}`)

const indexIn = (text: string): number => {
  const index = Number(text)
  if (!Number.isSafeInteger(index) || index < 0) throw new UnreadableSheet('A cell is a text without a number.')
  return index
}

/** How many texts there are, not counting any behind so many. */
const countUpTo = (most: number, texts: string): number => {
  textTag.lastIndex = 0
  let count = 0
  while (count < most && textTag.test(texts)) count += 1
  return count
}
