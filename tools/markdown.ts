import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..')

/** The text of a document, by its path from the root of the project. */
export const readDocument = (file: string): string => readFileSync(join(projectRoot, file), 'utf8')

export interface CodeBlock {
  /** What stands behind the opening fence, such as `bash`. */
  readonly kind: string
  readonly text: string
}

/** The fenced code blocks of a document, in order. */
export const codeBlocks = (markdown: string): CodeBlock[] =>
  [...markdown.matchAll(/^```(\S[^\n]*)?\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({ kind, text }))

/** The rows of the table whose first line names these columns; each row is its cells. @throws when there is none. */
export const tableOf = (markdown: string, ...columns: readonly string[]): string[][] => {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => cellsOf(line).join('|') === columns.join('|'))
  if (start === -1) throw new Error(`There is no table with the columns ${columns.join(', ')}.`)
  const rest = lines.slice(start + 2)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  return rest.slice(0, end === -1 ? undefined : end).map(cellsOf)
}

/** Without the backticks of a cell that is one piece of code. */
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'))
