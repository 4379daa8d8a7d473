import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

/** A line of the table of contents. */
export interface Entry {
  readonly title: string
  /** Path from the root of the project, of a section with its anchor: `README.md#a-five-minute-tour`. */
  readonly source: string
}

export interface Chapter {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** The table of contents, as one reads it in the folder and in the guide. */
export const contentsFile = 'docs/README.md'

/** The chapters of the table of contents: its headings, and the link that each line of their lists begins with. */
export const readContents = (root: string): readonly Chapter[] => {
  const text = readFileSync(join(root, contentsFile), 'utf8')
  const [, ...parts] = text.split(/^## /m)
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    entries: [...part.matchAll(/^- \[([^\]]+)\]\(([^)\s]+)\)/gm)].map(([, title = '', target = '']) => ({
      title,
      source: join(dirname(contentsFile), target),
    })),
  }))
}
