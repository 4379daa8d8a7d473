import type { ReceiverAuth } from '#delivery/subscriber/subscription.ts'
import type { Problems } from '#platform/problems.ts'

/**
 * The original's parameters of token auth, and what they are when a hook leaves them out. A token is
 * fetched with a form POST of `username_field=username&password_field=password` to `url`; the answer is a
 * JSON object whose field `token_key` is the token; deliveries carry `Authorization: <header_format>` with
 * the token in place of `{}`.
 */
export const tokenDefaults = {
  username_field: 'username',
  password_field: 'password',
  token_key: 'key',
  header_format: 'Token {}',
} as const

export const callbackProblem = 'Callbacks are not supported: a subscriber never names code to run here.'

const parameters: Record<
  ReceiverAuth['auth_type'],
  { readonly required: readonly string[]; readonly defaults: Readonly<Record<string, string>> }
> = {
  basic: { required: ['username', 'password'], defaults: {} },
  token: { required: ['url', 'username', 'password'], defaults: tokenDefaults },
}

const longest = 256

/**
 * Reads the `auth` of `config`, which may be null or empty and may name a signature and a rate limit too. `urlProblemOf` judges the URL that tokens come from.
 * @returns the auth, whose password may still be the mask; null for none; undefined when `problems` says why not.
 */
export const parseConfig = (
  config: unknown,
  urlProblemOf: (url: string) => string | undefined,
  problems: Problems,
): ReceiverAuth | null | undefined => {
  if (config === null || config === undefined) return null
  if (!isObject(config)) return said(problems, 'config', 'Expected an object or null.')
  const { auth, signature: _, rate_limit: __, ...others } = config
  for (const name of Object.keys(others)) problems.add(`config.${name}`, unknownField(name))
  if (auth === null || auth === undefined) return null
  if (!isObject(auth)) return said(problems, 'config.auth', 'Expected an object or null.')

  return parseAuth(auth, urlProblemOf, problems)
}

const parseAuth = (
  auth: Record<string, unknown>,
  urlProblemOf: (url: string) => string | undefined,
  problems: Problems,
): ReceiverAuth | undefined => {
  const { auth_type: type, ...given } = auth
  if (type !== 'basic' && type !== 'token') {
    return said(problems, 'config.auth.auth_type', 'Expected one of: basic, token.')
  }
  const { required, defaults } = parameters[type]
  const known = [...required, ...Object.keys(defaults)]
  for (const name of required) {
    if (!Object.hasOwn(given, name)) problems.add(`config.auth.${name}`, `This field is required for ${type}.`)
  }
  for (const [name, value] of Object.entries(given)) {
    problems.add(`config.auth.${name}`, fieldProblem(name, value, known, urlProblemOf))
  }
  if (problems.any()) return undefined
  // The table above is what makes this one of the two.
  const parsed = { auth_type: type, ...defaults, ...given } as unknown as ReceiverAuth
  const hasColon = type === 'basic' && parsed.username.includes(':')
  return hasColon ? said(problems, 'config.auth.username', 'A user name for basic has no colon (RFC 7617).') : parsed
}

const fieldProblem = (
  name: string,
  value: unknown,
  known: readonly string[],
  urlProblemOf: (url: string) => string | undefined,
): string | undefined => {
  if (!known.includes(name)) return unknownField(name)
  if (typeof value !== 'string') return 'Expected a string.'
  if (value === '') return 'This field may not be empty.'
  if (name === 'url') return urlProblemOf(value)
  if ([...value].length > longest) return `Use at most ${longest} characters.`
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'Control characters are not allowed.'
  if (name !== 'header_format') return undefined
  return /^[ -z|~]*\{\}[ -z|~]*$/.test(value) ? undefined : 'Use ASCII characters, with {} once for the token.'
}

const unknownField = (name: string): string => (name === 'callback' ? callbackProblem : 'Unknown field.')

const said = (problems: Problems, where: string, message: string): undefined => {
  problems.add(where, message)
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
