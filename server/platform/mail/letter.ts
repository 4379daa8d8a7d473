import { escapeHtml } from '../html.ts'
import type { Mail } from './mailer.ts'

/** A part of a message, about one thing. */
export interface Section {
  /** As they are, not escaped. What would end a line is a space. */
  readonly lines: readonly string[]
  /** Where the thing can be looked at. */
  readonly link: string
}

/** A message as text and as HTML that say the same. */
export const letter = (sections: readonly Section[]): Required<Pick<Mail, 'text' | 'html'>> => ({
  text: sections.map(asText).join('\n\n'),
  html: sections.map(asHtml).join('\n<hr>\n'),
})

const asText = ({ lines, link }: Section): string => [...lines.map(oneLine), '', link].join('\n')

const asHtml = ({ lines, link }: Section): string =>
  [...lines.map((line) => escapeHtml(oneLine(line))), `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`]
    .map((content) => `<p>${content}</p>`)
    .join('\n')

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
