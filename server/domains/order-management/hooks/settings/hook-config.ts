import type { SentSettings } from '#delivery/surface/settings.ts'
import type { Envelope } from '#delivery/tables/envelope.ts'
import type { Order, ReceiverAuth, SignatureVersion, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Problems } from '#platform/problems.ts'
import { parseFilter } from './filter-config.ts'
import { isObject, readObject, refuse } from './read-object.ts'

/**
 * The original's parameters of token auth, and what they are when a hook leaves them out. A token is
 * fetched with a form POST of `username_field=username&password_field=password` to `url`; the answer is a
 * JSON object whose field `token_key` is the token; deliveries carry `Authorization: <header_format>` with
 * the token in place of `{}`.
 */
const tokenDefaults = {
  username_field: 'username',
  password_field: 'password',
  token_key: 'key',
  header_format: 'Token {}',
} as const

export const callbackProblem = 'Callbacks are not supported: a subscriber never names code to run here.'

const authFields = {
  basic: { required: ['username', 'password'], defaults: {} },
  token: { required: ['url', 'username', 'password'], defaults: tokenDefaults },
} as const

export const maxAuthCharacters = 256
const noObject = 'Expected an object or null.'

/**
 * Reads `config` (contract, section 4), where null is the default of a setting.
 * @param urlProblemOf judges the URL that tokens come from.
 * @returns the settings that it names, all valid unless `problems` says otherwise. A password may still be the mask, and
 * what only the owner of the hook understands may be null.
 */
export const readConfig = (
  config: unknown,
  urlProblemOf: (url: string) => string | undefined,
  problems: Problems,
): SentSettings => {
  if (config === undefined || config === null) return {}
  if (!isObject(config)) return refuse(problems, 'config', noObject) ?? {}
  const { auth, signature, rate_limit, format, max_attempts, filter, order, callback, ...extraConfig } = config
  problems.add('config.callback', (callback ?? '') === '' ? undefined : callbackProblem)
  return {
    extraConfig,
    auth: parseAuth(auth, urlProblemOf, problems),
    signature: parseSignature(signature, problems),
    rateLimit: parseRateLimit(rate_limit, problems),
    envelope: parseFormat(format, problems),
    maxAttempts: parseMaxAttempts(max_attempts, problems),
    filter: parseFilter(filter, problems),
    order: parseOrder(order, problems),
  }
}

const parseAuth = (
  auth: unknown,
  urlProblemOf: (url: string) => string | undefined,
  problems: Problems,
): ReceiverAuth | null | undefined => {
  if (auth === undefined || auth === null) return auth
  return isObject(auth) ? authOf(auth, urlProblemOf, problems) : refuse(problems, 'config.auth', noObject)
}

const authOf = (
  auth: Record<string, unknown>,
  urlProblemOf: (url: string) => string | undefined,
  problems: Problems,
): ReceiverAuth | undefined => {
  const { auth_type: type, ...given } = auth
  if (type !== 'basic' && type !== 'token')
    return refuse(problems, 'config.auth.auth_type', 'Expected one of: basic, token.')
  const { required, defaults } = authFields[type]
  const names = [...required, ...Object.keys(defaults)]
  const fields = Object.fromEntries(
    names.map((name) => [name, (value: unknown) => authProblem(name, value, urlProblemOf)]),
  )
  const rules = { fields, required, missing: `This field is required for ${type}.` }
  const read = readObject(given, 'config.auth', rules, problems)
  if (read === undefined) return undefined
  // The table above is what makes this one of the two.
  const parsed = { auth_type: type, ...defaults, ...read } as unknown as ReceiverAuth
  return type === 'basic' && parsed.username.includes(':')
    ? refuse(problems, 'config.auth.username', 'A user name for basic has no colon (RFC 7617).')
    : parsed
}

const authProblem = (
  name: string,
  value: unknown,
  urlProblemOf: (url: string) => string | undefined,
): string | undefined => {
  if (typeof value !== 'string') return 'Expected a string.'
  if (value === '') return 'This field may not be empty.'
  if (name === 'url') return urlProblemOf(value)
  if ([...value].length > maxAuthCharacters) return `Use at most ${maxAuthCharacters} characters.`
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'Control characters are not allowed.'
  if (name !== 'header_format') return undefined
  return /^[ -z|~]*\{\}[ -z|~]*$/.test(value) ? undefined : 'Use ASCII characters, with {} once for the token.'
}

export const signatureVersions = ['v1', 'v1a'] as const satisfies readonly SignatureVersion[]
const expectedSignature = 'Expected one of: v1 (HMAC with secret_key), v1a (Ed25519 with a key pair that is made here).'

const parseSignature = (signature: unknown, problems: Problems): SignatureVersion | undefined => {
  if (signature === undefined) return undefined
  if (signature === null) return 'v1'
  const version = signatureVersions.find((known) => known === signature)
  return version ?? refuse(problems, 'config.signature', expectedSignature)
}

export const maxRate = 10_000

export const envelopes = ['original', 'standard'] as const satisfies readonly Envelope[]

const parseFormat = (format: unknown, problems: Problems): Envelope | undefined => {
  if (format === undefined) return undefined
  const envelope = envelopes.find((known) => known === (format ?? 'original'))
  return envelope ?? refuse(problems, 'config.format', `Expected one of: ${envelopes.join(', ')}.`)
}

export const orders = ['object', 'none'] as const satisfies readonly Order[]

const parseOrder = (given: unknown, problems: Problems): Order | undefined => {
  if (given === undefined) return undefined
  const order = orders.find((known) => known === (given ?? 'none'))
  return order ?? refuse(problems, 'config.order', `Expected one of: ${orders.join(', ')}.`)
}

const parseMaxAttempts = (given: unknown, problems: Problems): number | null | undefined => {
  if (given === undefined || given === null) return given
  const isValid = typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 100
  return isValid ? given : refuse(problems, 'config.max_attempts', 'Expected an integer from 1 to 100, or null.')
}

/** Reads `{per_second, burst?}`, or null for none. */
export const parseRateLimit = (given: unknown, problems: Problems): SubscriptionSettings['rateLimit'] => {
  if (given === undefined || given === null) return given
  const isBetween = (value: unknown, min: number): value is number =>
    typeof value === 'number' && value >= min && value <= maxRate
  const rules = {
    fields: {
      per_second: (value: unknown) => (isBetween(value, 0.1) ? undefined : `Expected a number from 0.1 to ${maxRate}.`),
      burst: (value: unknown) =>
        isBetween(value, 1) && Number.isInteger(value) ? undefined : `Expected an integer from 1 to ${maxRate}.`,
    },
    required: ['per_second'],
    expected: 'Expected an object with per_second and burst, or null.',
    takesNull: true,
  }
  const read = readObject(given, 'config.rate_limit', rules, problems) as
    | { readonly per_second: number; readonly burst?: number }
    | undefined
  return read && { perSecond: read.per_second, burst: read.burst ?? Math.max(1, Math.ceil(read.per_second)) }
}
