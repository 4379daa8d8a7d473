import type { BackOfficeEventType } from '#events/catalogue.ts'
import { defaultStrategies, type RetryStrategy } from '#delivery/subscriber/retry.ts'
import type { ReceiverAuth, SignatureVersion, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkHeaders } from '#delivery/surface/custom-headers.ts'
import { parseEventName, unknownEventMessage } from './event-name.ts'
import { keepSecrets } from './kept-secrets.ts'
import { mask } from '#delivery/subscriber/mask.ts'
import { collectProblems } from '#platform/problems.ts'
import { parseRateLimit, type RateLimit } from './rate-limit-config.ts'
import { callbackProblem, parseConfig } from './receiver-auth.ts'
import { parseRetryConfig } from './retry-config.ts'
import { secretProblem } from '#delivery/surface/signing-secret.ts'
import { parseSignature } from './signature-choice.ts'
import { urlProblem } from '#delivery/surface/target-url.ts'

/** The writable fields as they arrive; their JSON types have been checked. */
export interface HookBody {
  readonly event_type?: string
  readonly target_url?: string
  readonly is_active?: boolean
  readonly retry_countdown_config?: unknown
  readonly additional_headers?: Readonly<Record<string, string>> | null
  readonly config?: unknown
  readonly secret_key?: string | null
  readonly callback?: unknown
}

/** What a body asks for, all of it valid; what it does not name is undefined. Secrets may still be the mask. */
export interface HookInput {
  readonly eventType: BackOfficeEventType | undefined
  readonly url: string | undefined
  readonly isActive: boolean | undefined
  readonly retry: RetryStrategy | undefined
  readonly headers: Readonly<Record<string, string>> | null | undefined
  readonly auth: ReceiverAuth | null | undefined
  readonly secret: string | null | undefined
  readonly signature: SignatureVersion | undefined
  readonly rateLimit: RateLimit | null | undefined
}

export interface InputRules {
  /** Where all event names are listed. */
  readonly registryPath: string
  /** What speaks against a URL besides its form; undefined when nothing does. */
  readonly checkUrl: (url: string) => string | undefined
}

/** A hook's settings: one event, and the way the original signs. */
export type HookSettings = SubscriptionSettings & { readonly eventTypes: readonly [BackOfficeEventType] }

/** @throws AppError 400 that names every field that is wrong. */
export const readHookInput = (body: HookBody, { registryPath, checkUrl }: InputRules): HookInput => {
  const problems = collectProblems()
  const urlProblemOf = (url: string): string | undefined => urlProblem(url, checkUrl)
  const { event_type: name, target_url: url, additional_headers: headers, secret_key: secret } = body

  const eventType = name === undefined ? undefined : parseEventName(name)
  if (name !== undefined && eventType === undefined) problems.add('event_type', unknownEventMessage(name, registryPath))
  if (url !== undefined) problems.add('target_url', urlProblemOf(url))
  checkHeaders(headers ?? {}, { field: 'additional_headers', problems })
  problems.add('secret_key', secretProblemOf(secret))
  problems.add('callback', (body.callback ?? null) === null ? undefined : callbackProblem)
  const retry = 'retry_countdown_config' in body ? parseRetryConfig(body.retry_countdown_config, problems) : undefined
  const auth = 'config' in body ? parseConfig(body.config, urlProblemOf, problems) : undefined
  const signature = parseSignature(body.config, problems)
  const rateLimit = parseRateLimit(body.config, problems)
  problems.throwIfAny()
  return { eventType, url, isActive: body.is_active, retry, headers, auth, secret, signature, rateLimit }
}

/** Whether there is anything for the mask to keep is known only where the stored secret is. */
const secretProblemOf = (secret: string | null | undefined): string | undefined =>
  typeof secret === 'string' && secret !== mask ? secretProblem(secret) : undefined

/** What a hook has that its body does not name: the defaults, or what is stored. */
type Unnamed = Pick<
  SubscriptionSettings,
  'isActive' | 'retry' | 'headers' | 'auth' | 'secret' | 'signature' | 'rateLimit' | 'url' | 'eventTypes'
>

const defaults: Unnamed = {
  isActive: true,
  retry: defaultStrategies.exponential,
  headers: null,
  auth: null,
  secret: null,
  signature: 'v1',
  rateLimit: null,
  // Required where nothing is stored, so these two are never used.
  url: '',
  eventTypes: [],
}

/** Settings of a new hook. */
export const newSettings = (input: HookInput): HookSettings => merge(input, defaults, undefined)

/** Settings after PUT: what the body does not name goes back to its default. A masked secret stays as it is. */
export const replacedSettings = (input: HookInput, stored: SubscriptionSettings): HookSettings =>
  merge(input, defaults, stored)

/** Settings after PATCH: what the body does not name stays as it is. */
export const patchedSettings = (input: HookInput, stored: SubscriptionSettings): HookSettings =>
  merge(input, stored, stored)

/** @param stored where masked secrets come from. */
const merge = (input: HookInput, unnamed: Unnamed, stored: SubscriptionSettings | undefined): HookSettings => {
  const {
    eventType,
    url,
    isActive,
    retry,
    headers,
    auth,
    secret,
    signature,
    rateLimit = null,
  } = {
    ...unnamed,
    eventType: unnamed.eventTypes[0],
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
  } as Unnamed & { readonly eventType: BackOfficeEventType }
  return {
    scope: 'back-office',
    dialect: 'whisperer',
    eventTypes: [eventType],
    isActive,
    retry,
    signature,
    rateLimit,
    ...keepSecrets(input, { url, headers, auth, secret }, stored),
  }
}
