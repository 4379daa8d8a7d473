import { collectProblems, type Problems } from '#platform/problems.ts'
import { isCredentialHeader, mask } from '../subscriber/mask.ts'
import type { ReceiverAuth, SubscriptionSettings } from '../subscriber/subscription.ts'
import { checkHeaders } from './custom-headers.ts'
import { secretProblem } from './signing-secret.ts'
import { originOf } from '../outbound/origin-of.ts'
import { targetProblem, type CheckUrl } from './target-url.ts'

/** What a request asks for: what it does not name is undefined, and secrets may be the mask. */
export type SentSettings = { readonly [Field in keyof SubscriptionSettings]?: SubscriptionSettings[Field] | undefined }

/** What the fields are called in the request. */
export interface SettingsFields {
  readonly url: string
  readonly headers: string
  readonly secret?: string
  /** Headers that are taken although every delivery sets them itself, in lower case. */
  readonly tolerated?: ReadonlySet<string>
}

/** Says what is wrong with settings by themselves; masks are looked at with what is stored. */
export const checkSettings = (
  { url, headers, secret }: SentSettings,
  fields: SettingsFields,
  checkUrl: CheckUrl,
  problems: Problems,
): void => {
  if (url !== undefined) problems.add(fields.url, targetProblem(url, checkUrl))
  const { headers: field, tolerated = new Set() } = fields
  checkHeaders(headers ?? {}, { field, problems, tolerated })
  if (typeof secret === 'string' && secret !== mask) problems.add(fields.secret ?? '', secretProblem(secret))
}

/** How settings are put together. */
export interface Merge {
  readonly fields: SettingsFields
  /** What the request does not name: the defaults, or what is stored. */
  readonly unnamed: SubscriptionSettings
  /** Where masked secrets come from; undefined of what is new. */
  readonly stored: SubscriptionSettings | undefined
  readonly problems?: Problems
}

/**
 * Settings as they are to be, with the stored secrets where the request has the mask. What the receiver is sent (its
 * password, headers that carry credentials) is kept only for the same scheme, host and port: whoever may change a
 * subscriber could otherwise have what they cannot read sent to themselves. The signing secret is never sent, so it stays.
 * @throws AppError 400 that names every secret that has to be sent again.
 */
export const mergeSettings = (
  sent: SentSettings,
  { fields, unnamed, stored, problems = collectProblems() }: Merge,
): SubscriptionSettings => {
  const named = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const wanted: SubscriptionSettings = { ...unnamed, ...named }
  const change: Change = { fields, sent, wanted, stored, problems, moves: isMoved(stored, wanted) }
  const kept = { headers: keptHeaders(change), auth: keptAuth(change), secret: keptSecret(change) }
  problems.throwIfAny()
  return { ...wanted, ...kept }
}

interface Change {
  readonly fields: SettingsFields
  readonly sent: SentSettings
  readonly wanted: SubscriptionSettings
  readonly stored: SubscriptionSettings | undefined
  readonly problems: Problems
  /** Whether deliveries will go to another scheme, host or port. */
  readonly moves: boolean
}

const isMoved = (stored: SubscriptionSettings | undefined, { url }: SubscriptionSettings): boolean =>
  stored !== undefined && originOf(stored.url) !== originOf(url)

const noneStored = (what: string): string =>
  `This is the mask, and no ${what} is stored that it could keep; send the ${what}.`
const sendAgain = (what: string): string => `Send ${what} again because the address changes.`

const keptHeaders = ({ fields, sent, wanted, stored, problems, moves }: Change): SubscriptionSettings['headers'] => {
  const { headers } = wanted
  const field = fields.headers
  if (sent.headers === undefined) {
    const credentials = Object.keys(headers ?? {}).filter(isCredentialHeader)
    if (moves && credentials.length > 0) problems.add(field, sendAgain(credentials.join(', ')))
    return headers
  }
  if (headers === null) return null
  const before = new Map(Object.entries(stored?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const kept = Object.entries(headers).map(([name, value]) => {
    if (value !== mask) return [name, value] as const
    const old = before.get(name.toLowerCase())
    if (old === undefined) problems.add(`${field}.${name}`, noneStored('value'))
    else if (moves) problems.add(`${field}.${name}`, sendAgain('the value'))
    return [name, old ?? value] as const
  })
  return Object.fromEntries(kept)
}

const keptAuth = ({ sent, wanted: { auth }, stored, problems, moves }: Change): ReceiverAuth | null => {
  const isNamed = sent.auth !== undefined
  if (auth === null || (isNamed && auth.password !== mask)) return auth
  const before = stored?.auth ?? null
  if (before === null || before.auth_type !== auth.auth_type) {
    problems.add('config.auth.password', noneStored('password'))
  } else if (moves || signInOrigin(auth) !== signInOrigin(before)) {
    problems.add(isNamed ? 'config.auth.password' : 'config', sendAgain('the password'))
  } else {
    return { ...auth, password: before.password }
  }
  return auth
}

/** Where the password goes besides the receiver. A token goes to the receiver, so for one both have to stay. */
const signInOrigin = (auth: ReceiverAuth): string | undefined =>
  auth.auth_type === 'token' ? originOf(auth.url) : undefined

const keptSecret = ({ fields, wanted: { secret }, stored, problems }: Change): string | null => {
  if (secret !== mask) return secret
  const before = stored?.secret ?? null
  if (before === null) problems.add(fields.secret ?? '', noneStored('secret'))
  return before
}
