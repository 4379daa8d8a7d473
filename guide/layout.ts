import type { Rendered } from './markdown.ts'
import type { Guide, Page } from './pages.ts'

/** A page of the guide as an HTML document. Everything that it names is beside it, so that it can be opened as a file. */
export const layOut = (guide: Guide, page: Page, { html, sections }: Rendered, version: string): string => {
  const heading = sections[0]?.title ?? page.title
  const title = page === guide.pages[0] ? heading : `${heading} · Waybill`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="guide.css">
<script src="guide.js" defer></script>
<script src="guide-search.js" defer></script>
</head>
<body>
<a class="skip" href="#guide-text">Skip to the text</a>
<header>
<a class="brand" href="index.html">Waybill <span>${escape(version)}</span></a>
<form role="search" hidden><input type="search" id="guide-search" placeholder="Search" aria-label="Search the guide" autocomplete="off"><kbd>/</kbd></form>
<button type="button" class="menu" aria-expanded="false" aria-controls="guide-contents" hidden>Contents</button>
<div class="found" hidden><p role="status"></p><ol aria-label="What was found"></ol></div>
</header>
<nav id="guide-contents" aria-label="Contents">
${guide.chapters.map((chapter) => chapterList(chapter, page, sections)).join('\n')}
</nav>
<main id="guide-text" tabindex="-1">
${html}${steps(guide.pages, page)}
</main>
</body>
</html>
`
}

const chapterList = ({ title, pages }: Guide['chapters'][number], here: Page, sections: Rendered['sections']): string =>
  `<p>${escape(title)}</p>\n<ul>\n${pages.map((page) => entry(page, here, sections)).join('\n')}\n</ul>`

/** The page that is open shows its sections. */
const entry = (page: Page, here: Page, sections: Rendered['sections']): string => {
  if (page !== here) return `<li><a href="${page.name}">${escape(page.title)}</a></li>`
  const parts = sections
    .filter(({ depth }) => depth === 2)
    .map(({ title, anchor }) => `<li><a href="#${anchor}">${escape(title)}</a></li>`)
  const list = parts.length === 0 ? '' : `\n<ul>\n${parts.join('\n')}\n</ul>\n`
  return `<li><a href="${page.name}" aria-current="page">${escape(page.title)}</a>${list}</li>`
}

const steps = (pages: readonly Page[], here: Page): string => {
  const at = pages.indexOf(here)
  const link = (page: Page | undefined, rel: string, word: string): string =>
    page === undefined ? '' : `<a rel="${rel}" href="${page.name}"><span>${word}</span> ${escape(page.title)}</a>`
  return `<nav class="steps" aria-label="Before and after">${link(pages[at - 1], 'prev', 'Before')}${link(pages[at + 1], 'next', 'Next')}</nav>`
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
