import { escapeHtml } from '../html.ts'

/** A part of a message, about one thing. */
export interface Section {
  /** As they are, not escaped. What would end a line is a space. */
  readonly lines: readonly string[]
  /** Where the thing can be looked at. */
  readonly link: string
}

/** A message as text and as HTML that say the same. */
export const letter = (sections: readonly Section[]): { readonly text: string; readonly html: string } => ({
  text: sections.map(asText).join('\n\n'),
  html: sections.map(asHtml).join('\n<hr>\n'),
})

const asText = ({ lines, link }: Section): string => [...lines.map(oneLine), '', link].join('\n')

const asHtml = ({ lines, link }: Section): string =>
  [...lines.map((line) => escapeHtml(oneLine(line))), `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`]
    .map((content) => `<p>${content}</p>`)
    .join('\n')

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/**
 * A text as the subject of a message. What would begin another line, which is another header, is a space; characters that are not
 * seen are left out, because they can turn around what stands beside them. Only the one that joins emoji stays.
 */
export const subjectLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(
      /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])(\u200D)(?=\p{Extended_Pictographic})|\p{Cf}/gu,
      '$1',
    )
    .trim()
