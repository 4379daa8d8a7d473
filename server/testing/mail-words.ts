import type { Body } from '#platform/mail/offer.ts'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What somebody reads of the HTML of a message, word by word. */
export const wordsOfHtml = (html: string): string =>
  onlyWords(
    html
      .replace(/^.*<body/s, '<body')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? ''),
  )

/** The same of its text, without the marks that stand for borders. */
export const wordsOfText = (text: string): string => onlyWords(text.replace(/^> |^----$/gm, ''))

/** Both, of which each reader sees one. */
export const bothWords = ({ text, html }: Body): [html: string, text: string] => [wordsOfHtml(html), wordsOfText(text)]

const onlyWords = (text: string): string => text.replace(/\s+/g, ' ').trim()
