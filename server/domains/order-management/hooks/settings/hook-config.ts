import { Type, type Static, type TSchema } from 'typebox'
import type { EventFilter } from '#delivery/subscriber/event-filter.ts'
import type { ReceiverAuth } from '#delivery/subscriber/subscription.ts'
import type { SentSettings } from '#delivery/surface/settings.ts'
import { fits } from '#platform/http/errors/field-errors.ts'
import { OneOf } from '#platform/http/schemas.ts'
import type { Problems } from '#platform/problems.ts'
import { isObject } from '#platform/sent-fields.ts'
import {
  filterConditions,
  filterPath,
  maxConditions,
  PlainSettings,
  SentBasicAuth,
  SentTokenAuth,
} from './config-schemas.ts'

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

type UrlProblemOf = (url: string) => string | undefined

/**
 * Reads `config` (contract, section 4), where null is the default of a setting.
 * @param urlProblemOf judges the URL that tokens come from.
 * @returns the settings that it names, all valid unless `problems` says otherwise. A password may still be the mask, and
 * what only the owner of the hook understands may be null.
 */
export const readConfig = (config: unknown, urlProblemOf: UrlProblemOf, problems: Problems): SentSettings => {
  if (config === undefined || config === null) return {}
  if (!isObject(config)) {
    problems.add('config', 'Expected an object or null.')
    return {}
  }
  const { auth, signature, rate_limit, format, max_attempts, filter, order, callback, ...extraConfig } = config
  problems.add('config.callback', (callback ?? '') === '' ? undefined : callbackProblem)
  const plain = { signature, rate_limit, format, max_attempts, order }
  return {
    extraConfig,
    auth: readAuth(auth, urlProblemOf, problems),
    filter: readFilter(filter, problems),
    ...(fits(PlainSettings, plain, 'config', problems) ? settingsOf(plain) : {}),
  }
}

const settingsOf = ({ signature, rate_limit, format, max_attempts, order }: Static<typeof PlainSettings>) => ({
  signature: signature === null ? 'v1' : signature,
  rateLimit: rate_limit && {
    perSecond: rate_limit.per_second,
    burst: rate_limit.burst ?? Math.max(1, Math.ceil(rate_limit.per_second)),
  },
  envelope: format === null ? 'original' : format,
  maxAttempts: max_attempts,
  order: order === null ? 'none' : order,
})

const AnyAuth = Type.Object({ auth_type: OneOf(['basic', 'token']) })

const readAuth = (auth: unknown, urlProblemOf: UrlProblemOf, problems: Problems): ReceiverAuth | null | undefined => {
  if (auth === undefined || auth === null) return auth
  if (!fits(AnyAuth, auth, 'config.auth', problems)) return undefined
  if (auth.auth_type === 'basic') return fits(SentBasicAuth, auth, 'config.auth', problems) ? auth : undefined
  if (!fits(SentTokenAuth, auth, 'config.auth', problems)) return undefined
  problems.add('config.auth.url', urlProblemOf(auth.url))
  return { ...tokenDefaults, ...auth }
}

const AnyFilter = Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxConditions })
const path = new RegExp(filterPath)

const conditionSchema = (condition: unknown): TSchema => {
  if (isObject(condition)) return filterConditions.comparison
  return Array.isArray(condition) ? filterConditions.scalars : filterConditions.scalar
}

/** An empty filter is none. @param field what it is called in the request. */
export const readFilter = (
  given: unknown,
  problems: Problems,
  field = 'config.filter',
): EventFilter | null | undefined => {
  if (given === undefined || given === null) return given
  if (!fits(AnyFilter, given, field, problems)) return undefined
  for (const [name, condition] of Object.entries(given)) {
    if (path.test(name)) fits(conditionSchema(condition), condition, `${field}.${name}`, problems)
    else problems.add(`${field}.${name}`, 'Expected a path in the object, such as status or items.sku.')
  }
  return Object.keys(given).length === 0 ? null : (given as EventFilter)
}
