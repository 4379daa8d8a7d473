import GithubSlugger from 'github-slugger'

const heading = /^(#{1,6}) (.*)$/

/** The lines of Markdown, each with whether it stands in a block of code. */
const linesOf = (markdown: string): readonly { readonly text: string; readonly isCode: boolean }[] => {
  let isCode = false
  return markdown.split('\n').map((text) => {
    const isFence = /^ *```/.test(text)
    const wasCode = isCode
    if (isFence) isCode = !isCode
    return { text, isCode: wasCode || isFence }
  })
}

/** Makes the anchors of one page's headings, in their order, as GitHub does. */
export const makeAnchors = (): ((title: string) => string) => {
  const slugger = new GithubSlugger()
  return (title) => slugger.slug(plain(title))
}

/** The lines with the anchors of those that are headings. */
const headingsIn = (markdown: string) => {
  const anchor = makeAnchors()
  return linesOf(markdown).map(({ text, isCode }) => {
    const [, marks = '', title] = (isCode ? undefined : heading.exec(text)) ?? []
    return title === undefined ? { text, depth: 0 } : { text, depth: marks.length, anchor: anchor(title) }
  })
}

/** What can be linked to in a page. */
export const anchorsIn = (markdown: string): ReadonlySet<string> =>
  new Set(headingsIn(markdown).flatMap(({ anchor }) => anchor ?? []))

/** One section as a page of its own, with its heading as the title. @throws when no heading has the anchor. */
export const sectionOf = (markdown: string, wanted: string): string => {
  const lines = headingsIn(markdown)
  const start = lines.findIndex(({ anchor }) => anchor === wanted)
  const top = lines[start]
  if (top === undefined) throw new Error(`No heading has the anchor #${wanted}.`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(({ depth }) => depth > 0 && depth <= top.depth)
  const section = [top, ...(end === -1 ? rest : rest.slice(0, end))]
  return section.map(({ text, depth }) => (depth > 0 ? text.slice(top.depth - 1) : text)).join('\n')
}

/** The text of a heading without marks of Markdown. */
const plain = (title: string): string => title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
