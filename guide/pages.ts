import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPage } from './api-page.ts'
import { contentsFile, readContents, type Chapter, type Entry } from './contents.ts'
import { anchorsIn, sectionOf } from './sections.ts'

/** A page of the guide, and what it is made of. */
export interface Page {
  /** Its name in the guide, such as `delivery.html`. */
  readonly name: string
  /** What the table of contents calls it. */
  readonly title: string
  /** Where its text is kept, from the root of the project; of a section with its anchor. */
  readonly source: string
  readonly markdown: string
  /** What can be linked to. */
  readonly anchors: ReadonlySet<string>
}

export interface Guide {
  readonly chapters: readonly { readonly title: string; readonly pages: readonly Page[] }[]
  /** In the order of reading; the first one is the table of contents. */
  readonly pages: readonly Page[]
}

/** Everything that the table of contents names. @throws when something of it is not there. */
export const readGuide = (root: string): Guide => {
  const chapters = readContents(root).map(({ title, entries }: Chapter) => ({
    title,
    pages: entries.map((entry) => readPage(root, entry)),
  }))
  const start = readPage(root, { title: 'Contents', source: contentsFile })
  return { chapters, pages: [start, ...chapters.flatMap(({ pages }) => pages)] }
}

const readPage = (root: string, { title, source }: Entry): Page => {
  const markdown = markdownOf(root, source)
  return { name: nameOf(source), title, source, markdown, anchors: anchorsIn(markdown) }
}

const markdownOf = (root: string, source: string): string => {
  const [file = '', anchor] = source.split('#')
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.json')) return apiPage(text)
  const shown = text.replaceAll(/<!--.*?-->\n*/gs, '')
  return anchor === undefined ? shown : sectionOf(shown, anchor)
}

/** `docs/a.md` → `a.html`, `sdk/a/README.md` → `sdk-a.html`, `README.md#a` → `a.html`. */
const nameOf = (source: string): string => {
  if (source === contentsFile) return 'index.html'
  const [file = '', anchor] = source.split('#')
  const path = anchor ?? file.replace(/^docs\//, '').replace(/(\/README)?\.\w+$/, '')
  return `${path.toLowerCase().replaceAll('/', '-')}.html`
}
