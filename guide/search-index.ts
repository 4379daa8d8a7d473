import MiniSearch from 'minisearch'
import type { Section } from './markdown.ts'
import type { Page } from './pages.ts'

/** What a search finds. */
interface Found {
  /** Where it stands: `delivery.html#retries`. */
  readonly id: string
  readonly title: string
  readonly page: string
  readonly text: string
  /** How it begins. */
  readonly start: string
}

const options = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'start'] }
/** One word for "retry", "retries" and "Retry". */
const processTerm = (term: string): string =>
  term
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=..[^s])s$/, '')
const startLength = 140

/** A script with the index of everything, as pages that are opened from files may fetch nothing. */
export const searchIndex = (
  pages: readonly { readonly page: Page; readonly sections: readonly Section[] }[],
): string => {
  const search = new MiniSearch<Found>({ ...options, processTerm })
  for (const { page, sections } of pages)
    for (const { title, depth, anchor, text } of sections)
      search.add({
        id: depth === 1 ? page.name : `${page.name}#${anchor}`,
        title,
        page: page.title,
        text,
        start: text.length > startLength ? `${text.slice(0, startLength).trimEnd()}…` : text.trimEnd(),
      })
  const index = JSON.stringify(JSON.stringify(search))
  // The function too: the browser has to cut words as they were cut here.
  return `globalThis.guideIndex = { options: { ...${JSON.stringify(options)}, processTerm: ${processTerm.toString()} }, index: ${index} }\n`
}
