import { escapeHtml } from '../html.ts'
import type { MailLocale } from './reader.ts'

export interface Content {
  readonly locale: MailLocale
  /** Not escaped. */
  readonly title: string
  /** HTML, as the others that follow. */
  readonly parts: readonly string[]
  readonly why: string
}

/** The frame that every message has: one column, as wide as a phone or 600 pixels, on light and on dark screens. */
export const layOut = ({ locale, title, parts, why }: Content): string => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${dark}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#faf9f7">
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#faf9f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;font:15px/24px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:left">
${parts.map((part) => `<tr><td class="card" style="padding:24px;background:#fff;border:1px solid #e3e1db;border-radius:8px;color:#1b1a17">\n${part}\n</td></tr>`).join('\n<tr><td style="height:12px;font-size:0">&nbsp;</td></tr>\n')}
<tr><td class="muted" style="padding:16px 24px;font-size:13px;line-height:20px;color:#5f5c54">${why}</td></tr>
</table>
</td></tr></table>
</body>
</html>`

const dark = [
  ':root{color-scheme:light dark}',
  '@media (prefers-color-scheme:dark){',
  '.paper{background:#141412!important}',
  '.card{background:#1b1b18!important;border-color:#2f2e2a!important;color:#eeece6!important}',
  '.ink{color:#eeece6!important}',
  '.muted{color:#aeaba1!important}',
  '.line{border-color:#46443e!important}',
  '.button{background:#9db2ff!important;color:#10163a!important}',
  '}',
].join('')
