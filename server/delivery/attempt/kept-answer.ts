import { escapeHtml } from '#platform/html.ts'
import { mask } from '../subscriber/mask.ts'

/** What is kept of an answer. */
export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
}

/** Shorter texts stand in answers by chance, and hide nothing worth hiding. */
const shortest = 8

/**
 * An answer without what it repeats of the request's secrets: whoever reads the log of attempts may not read those,
 * and the log is not encrypted. Cookies are credentials of the receiver, and nobody here needs them. A receiver that
 * sends a secret back in another form is not caught.
 * @param secrets values that were sent: signatures, headers that a subscriber has set, and what the URL hides.
 */
export const withoutSecrets = ({ headers, body }: KeptAnswer, secrets: readonly string[]): KeptAnswer => {
  const all = [...Object.values(headers ?? {}), body].join('\n')
  const texts = [...new Set(secrets.flatMap((secret) => formsIn(all, secret)))].toSorted(
    (one, other) => other.length - one.length,
  )
  const hide = (text: string): string =>
    texts.reduce((rest, secret) => withoutBegin(rest.replaceAll(secret, mask), secret), text)
  return {
    headers:
      headers &&
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isCookie(name) ? mask : hide(value)])),
    body: body === null ? null : hide(body),
  }
}

/** A body is kept up to a limit, which can fall into the middle of a secret. */
const withoutBegin = (text: string, secret: string): string => {
  const begin = secret.slice(0, shortest)
  const from = Math.max(0, text.length - secret.length + 1)
  for (let at = text.indexOf(begin, from); at >= 0; at = text.indexOf(begin, at + 1))
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + mask
  return text
}

const isCookie = (name: string): boolean => name === 'set-cookie' || name === 'set-cookie2'

/**
 * The value, and its parts: `Bearer` and the token; the value of a cookie; the signatures of several keys. Each as it may be
 * written, when the answer has the beginning of that.
 */
const formsIn = (answer: string, secret: string): string[] =>
  [...new Set([secret, ...secret.split(/[\s,;]+/), ...secret.split(/[\s,;=]+/)])].flatMap((text) => {
    const begin = text.slice(0, shortest)
    if (text.length < shortest || (isWrittenAlike(begin) && !answer.includes(begin))) return []
    const forms = isWrittenAlike(text) ? [text] : [text, ...asJson(text), ...asHtml(text)]
    return forms.filter((form) => answer.includes(form.slice(0, shortest)))
  })

/** Whether every way to write a text leaves it as it is. */
const isWrittenAlike = (text: string): boolean => /^[\w., ;:-]*$/.test(text)

/** Also as PHP writes a slash, and as Go and .NET write what HTML would misread. */
const asJson = (text: string): string[] => {
  const json = JSON.stringify(text).slice(1, -1)
  const escapes = json.replaceAll(
    /\\"|[&<>'+]/g,
    (found) => String.raw`\u00${found.charCodeAt(found.length - 1).toString(16)}`,
  )
  const capitals = escapes.replaceAll(/(?<=\\u00)../g, (code) => code.toUpperCase())
  return [json, json.replaceAll('/', String.raw`\/`), escapes, capitals]
}

/** With the entities that everybody uses, and with those of templates that write more signs so. */
const asHtml = (text: string): string[] => {
  const html = escapeHtml(text)
  return [
    html,
    html.replaceAll(
      /&#39;|[/=`]/g,
      (sign) => `&#x${(sign === '&#39;' ? "'" : sign).charCodeAt(0).toString(16).toUpperCase()};`,
    ),
  ]
}
