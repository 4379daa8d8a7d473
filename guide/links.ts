import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Page } from './pages.ts'

/** Where a link of a page leads in the guide. */
export type Target =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'page'; readonly href: string; readonly title: string }
  /** A file beside the documents, which the guide takes along. */
  | { readonly kind: 'file'; readonly href: string; readonly path: string }
  /** Something of the source that the guide does not have. */
  | { readonly kind: 'source'; readonly path: string }

export type Resolve = (page: Page, href: string) => Target

/** Says where links lead. Its function throws for one that leads nowhere. */
export const makeResolve = (root: string, pages: readonly Page[]): Resolve => {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  return (page, href) => {
    if (/^[a-z]+:/.test(href)) return { kind: 'outside', href }
    const [path, anchor] = partsOf(href)
    const file = fileAt(page, path)
    const section = bySource.get(`${file}#${anchor}`)
    if (section !== undefined) return toPage(section, page)
    const isOwn = path === '' && anchor !== undefined && page.anchors.has(anchor)
    const target = isOwn ? page : bySource.get(file)
    const isThere =
      target === undefined ? existsSync(join(root, file)) : anchor === undefined || target.anchors.has(anchor)
    if (!isThere) throw new Error(`${page.source}: the link ${href} leads nowhere.`)
    return target === undefined ? toFile(file) : toPage(target, page, anchor)
  }
}

const partsOf = (link: string): readonly [path: string, anchor: string | undefined] => {
  const [path = '', anchor] = link.split('#')
  return [path, anchor]
}

/** The path of a link, from the root of the project. */
const fileAt = (page: Page, path: string): string => {
  const [own] = partsOf(page.source)
  return path === '' ? own : posix.join(posix.dirname(own), path)
}

const toPage = (target: Page, from: Page, anchor?: string): Target => {
  const hash = anchor === undefined ? '' : `#${anchor}`
  return { kind: 'page', href: (target === from && hash !== '' ? '' : target.name) + hash, title: target.title }
}

/** What stands beside the documents is taken along. */
const toFile = (path: string): Target =>
  /^docs\/[\w.-]+$/.test(path) ? { kind: 'file', href: posix.basename(path), path } : { kind: 'source', path }
