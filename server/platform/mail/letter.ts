import { escapeHtml } from '../html.ts'
import { layOut } from './layout.ts'
import type { MailLocale } from './reader.ts'

/** A part of a message, about one thing. Its texts are as they are, not escaped; what would end a line is a space. */
export interface Section {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts?: readonly Fact[]
  /** What somebody said: set apart line by line, so that nothing in it looks like ours. */
  readonly quote?: { readonly by: string; readonly text: string }
  /** Where the thing can be looked at, and the words on the button that leads there. */
  readonly link: string
  readonly button: string
}
export type Fact = readonly [label: string, value: string]

/** A message to one person. */
export interface Letter {
  readonly locale: MailLocale
  readonly sections: readonly Section[]
  /** Why they get it. */
  readonly why: string
}

/** A message as text and as HTML that say the same, in the one design that all of them have. */
export const writeLetter = ({ locale, sections, why }: Letter): { readonly text: string; readonly html: string } => ({
  text: [...sections.map(asText), why].join(`\n\n${rule}\n\n`),
  html: layOut({
    locale,
    title: oneLine(sections[0]?.heading ?? ''),
    parts: sections.map(asHtml),
    why: escapeHtml(why),
  }),
})

const rule = '----'

const asText = ({ heading, paragraphs, facts = [], quote, link, button }: Section): string =>
  [
    oneLine(heading),
    ...paragraphs.map(oneLine),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n')]),
    ...(quote === undefined ? [] : [[oneLine(quote.by), ...linesOf(quote).map((line) => `> ${line}`)].join('\n')]),
    `${button}\n${link}`,
  ].join('\n\n')

/** Styles stand in the elements, because some readers of mail drop all others; the classes are for dark screens. */
const asHtml = ({ heading, paragraphs, facts = [], quote, link, button }: Section): string => {
  const address = escapeHtml(link)
  return [
    `<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#1b1a17;overflow-wrap:anywhere">${shown(heading)}</h1>`,
    ...paragraphs.map((line) => `<p style="margin:0 0 12px">${shown(line)}</p>`),
    ...(facts.length === 0
      ? []
      : [
          `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 12px">${facts.map(factRow).join('')}</table>`,
        ]),
    ...(quote === undefined ? [] : [quoteBlock(quote)]),
    `<p style="margin:20px 0 12px"><a class="button" href="${address}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2a4bd0;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a></p>`,
    `<p class="muted" style="margin:0;font-size:13px;line-height:20px;color:#5f5c54;word-break:break-all"><a class="muted" href="${address}" style="color:#5f5c54">${address}</a></p>`,
  ].join('\n')
}

const factRow = ([label, value]: Fact): string =>
  `<tr><td class="muted" style="padding:2px 16px 2px 0;vertical-align:top;color:#5f5c54">${escapeHtml(label)}:</td> <td style="padding:2px 0;vertical-align:top;overflow-wrap:anywhere">${shown(value)}</td></tr>`

const quoteBlock = (quote: NonNullable<Section['quote']>): string =>
  `<p class="muted" style="margin:0 0 4px;color:#5f5c54">${shown(quote.by)}</p>
<blockquote class="line" style="margin:0 0 12px;padding:2px 0 2px 12px;border-left:3px solid #cbc8bf;overflow-wrap:anywhere">${linesOf(quote).map(escapeHtml).join('<br>\n')}</blockquote>`

const linesOf = ({ text }: { readonly text: string }): string[] => text.split(/\r\n|[\n\r\u2028\u2029]/).map(oneLine)

/**
 * A text in one line. Characters that are not seen are left out, because they can turn around what stands beside them. Only the one
 * that joins emoji stays.
 */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(
      /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])(\u200D)(?=\p{Extended_Pictographic})|\p{Cf}/gu,
      '$1',
    )

const shown = (text: string): string => escapeHtml(oneLine(text))

/** A text as the subject of a message: what would begin another line, which is another header, is a space. */
export const subjectLine = (text: string): string => oneLine(text).trim()
