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
 * @param secrets values that were sent: signatures, and headers that a subscriber has set.
 */
export const withoutSecrets = ({ headers, body }: KeptAnswer, secrets: readonly string[]): KeptAnswer => {
  const texts = [...new Set(secrets.flatMap(formsOf))].toSorted((one, other) => other.length - one.length)
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
  for (let length = secret.length - 1; length >= shortest; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask
  return text
}

const isCookie = (name: string): boolean => name === 'set-cookie' || name === 'set-cookie2'

/** The value, its parts (`Bearer` and the token; the value of a cookie; the signatures of several keys), and each as JSON writes it. */
const formsOf = (secret: string): string[] =>
  [secret, ...secret.split(/[\s,;]+/), ...secret.split(/[\s,;=]+/)].flatMap((text) => {
    const json = JSON.stringify(text).slice(1, -1)
    return text.length < shortest ? [] : [text, json, json.replaceAll('/', String.raw`\/`)]
  })
