import MarkdownIt, { type Token } from 'markdown-it'
import type { Resolve, Target } from './links.ts'
import type { Page } from './pages.ts'
import { makeAnchors } from './sections.ts'

/** A heading, and the text up to the next one. */
export interface Section {
  readonly title: string
  readonly depth: number
  readonly anchor: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly sections: readonly Section[]
  /** Paths of the files that it links to. */
  readonly files: readonly string[]
}

const markdown = new MarkdownIt({ html: false })
const { escapeHtml } = markdown.utils

markdown.renderer.rules['table_open'] = () => '<div class="wide"><table>\n'
markdown.renderer.rules['table_close'] = () => '</table></div>\n'
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {}
  const label = labelOf(info)
  const caption = label === '' ? '' : `<figcaption>${escapeHtml(label)}</figcaption>`
  return `<figure class="code">${caption}<pre><code>${escapeHtml(content)}</code></pre></figure>\n`
}

markdown.renderer.rules['heading_close'] = (tokens, index) => {
  const [open, inline, close] = [tokens[index - 2], tokens[index - 1], tokens[index]]
  const tag = close?.tag ?? ''
  if (open === undefined || inline === undefined || tag === 'h1') return `</${tag}>\n`
  const label = `Link to ${escapeHtml(textOf(inline))}`
  return ` <a class="anchor" href="#${open.attrGet('id')}" aria-label="${label}">#</a></${tag}>\n`
}

/** Of `bash terminal-2` "Terminal 2", else the language; nothing for what a program printed. */
const labelOf = (info: string): string => {
  const [language = '', terminal = ''] = info.trim().split(' ')
  if (terminal.startsWith('terminal-')) return `Terminal ${terminal.slice(9)}`
  return language === 'text' ? '' : language
}

/** A page as HTML. @throws when one of its links leads nowhere. */
export const render = (page: Page, resolve: Resolve): Rendered => {
  const tokens = markdown.parse(page.markdown, {})
  const files: string[] = []
  const point = (href: string): Target => {
    const target = resolve(page, href)
    if (target.kind === 'file') files.push(target.path)
    return target
  }
  const sections = readSections(tokens)
  for (const [index, token] of tokens.entries()) {
    // A heading without words is none.
    if (
      token.tag === 'th' &&
      [tokens[index - 1], tokens[index + 1]].some((next) => next?.type === 'inline' && next.content === '')
    )
      token.tag = 'td'
    const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (align !== undefined) token.attrs = [['class', align]]
  }
  for (const { children } of tokens) if (children !== null) pointLinks(children, point)
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections, files }
}

/** Gives each heading its anchor. */
const readSections = (tokens: readonly Token[]): readonly Section[] => {
  const anchorOf = makeAnchors()
  const sections: { title: string; depth: number; anchor: string; text: string }[] = []
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open' && inline !== undefined) {
      const anchor = anchorOf(inline.content)
      const title = textOf(inline)
      token.attrSet('id', anchor)
      sections.push({ title, depth: Number(token.tag.slice(1)), anchor, text: '' })
    }
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    const section = sections.at(-1)
    if (section !== undefined && !isHeading && (token.type === 'inline' || token.type === 'fence'))
      section.text += `${textOf(token)} `
  }
  return sections
}

const textOf = ({ type, content, children }: Token): string =>
  type === 'fence'
    ? content
    : (children ?? []).map(({ type: kind, content: text }) => (kind === 'softbreak' ? ' ' : text)).join('')

/** Turns links of the documents into those of the guide. */
const pointLinks = (tokens: readonly Token[], point: (href: string) => Target): void => {
  let isSource = false
  for (const [index, token] of tokens.entries()) {
    const name = token.type === 'image' ? 'src' : 'href'
    const href = token.attrGet(name)
    if (href !== null) {
      const target = point(decodeURI(String(href)))
      isSource = target.kind === 'source'
      const text = tokens[index + 1]
      // A file name says something in a folder, and nothing in the guide.
      if (target.kind === 'page' && text !== undefined && /^[\w./-]+\.md$/.test(text.content))
        text.content = target.title
      if (target.kind !== 'source') token.attrSet(name, target.href)
      else {
        token.tag = 'span'
        token.attrs = [
          ['class', 'source'],
          ['title', target.path],
        ]
      }
    } else if (token.type === 'link_close' && isSource) token.tag = 'span'
  }
}
