import { isBrokerUrl } from '../outbound/broker/broker-url.ts'
import { routeProblem } from '../outbound/drivers/brokers.ts'

/** What URL parsers accept but drop or rewrite, so that what is shown would not be what is called. */
const rewritten = /[\u0000-\u0020\u007f\\]/

const maxCharacters = 2_048

/** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
export type CheckUrl = (url: string) => string | undefined

/**
 * Why a URL cannot be called; undefined when it can (contract, section 3, for every receiver).
 */
export const urlProblem = (text: string, checkUrl: CheckUrl): string | undefined => {
  if (rewritten.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'Expected an http or https URL, such as https://example.com/hooks.'
  }
  return formProblem(text, 'send it in a header') ?? checkUrl(text)
}

/** The same for the target of a subscription, which may also be a place in a broker. */
export const targetProblem = (text: string, checkUrl: CheckUrl): string | undefined => {
  if (!isBrokerUrl(text))
    return text.includes('://') && !/^https?:/i.test(text)
      ? 'Expected a URL that begins with http, https, nats, natss, amqp, amqps, redis or rediss.'
      : urlProblem(text, checkUrl)
  if (rewritten.test(text) || !URL.canParse(text))
    return 'Expected a URL without blanks, such as nats://nats.example.com/orders.'
  const account = 'send it as config.auth, or in a header Authorization: Basic …'
  return formProblem(text, account) ?? checkUrl(text) ?? routeProblem(text)
}

/** @param instead where a user name and a password go. */
const formProblem = (text: string, instead: string): string | undefined => {
  if ([...text].length > maxCharacters) return `Use at most ${maxCharacters} characters.`
  if (/[^ -~]/.test(text))
    return 'Use ASCII characters: percent-encode the others, and write a host in punycode (xn--…).'
  const { username, password } = new URL(text)
  if (username !== '' || password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) {
    return `A user name or password in the URL is not allowed; ${instead}.`
  }
  if (text.includes('#')) return 'A fragment (#…) is never sent, so it is not allowed.'
  return undefined
}
