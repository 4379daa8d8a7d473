import type { Static } from 'typebox'
import { plainSettings, type SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkSettings, mergeSettings, type Merge, type SentSettings } from '#delivery/surface/settings.ts'
import { urlProblem, type CheckUrl } from '#delivery/surface/target-url.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'
import type { PartOfHook } from '../hook-schemas.ts'
import { canonicalEventName } from '../../event-types/index.ts'
import { eventProblem, parseEventName } from './event-name.ts'
import { callbackProblem, readConfig, readFilter } from './hook-config.ts'
import { parseRetryConfig } from './retry-config.ts'

/** The writable fields as they arrive; their JSON types have been checked. */
export type HookBody = Static<typeof PartOfHook>

export interface InputRules {
  /** Where all event names are listed. */
  readonly registryPath: string
  readonly checkUrl: CheckUrl
  /** Names of the types of one's own. */
  readonly ownTypes: readonly string[]
  /** What the hook is subscribed to already: such a pattern may match nothing any more, and can still be sent back. */
  readonly stored?: readonly string[]
}

const fields = { url: 'target_url', headers: 'additional_headers', secret: 'secret_key' }

/** @returns what the body asks for, all of it valid. @throws AppError 400 that names every field that is wrong. */
export const readHookInput = (body: HookBody, { checkUrl, ...rules }: InputRules): SentSettings => {
  const problems = collectProblems()
  const { event_type: name, target_url: url, additional_headers: headers, secret_key: secret } = body
  const eventTypes = name === undefined ? undefined : readEvents(name, rules, problems)
  checkSettings({ url, headers, secret }, fields, checkUrl, problems)
  problems.add('callback', (body.callback ?? null) === null ? undefined : callbackProblem)
  const retry = 'retry_countdown_config' in body ? parseRetryConfig(body.retry_countdown_config, problems) : undefined
  const config = readConfig(body.config, (text) => urlProblem(text, checkUrl), problems)
  problems.throwIfAny()
  return { ...config, eventTypes, url, isActive: body.is_active, retry, headers, secret }
}

/** @returns the events and the filter of a body that only tries them. @throws AppError 400 that names every field that is wrong. */
export const readTriedInput = (
  { event_type: name, filter }: { readonly event_type: string | readonly string[]; readonly filter?: unknown },
  rules: Pick<InputRules, 'registryPath' | 'ownTypes'>,
) => {
  const problems = collectProblems()
  const eventTypes = readEvents(name, rules, problems)
  const read = readFilter(filter, problems, 'filter') ?? null
  problems.throwIfAny()
  return { eventTypes, filter: read }
}

/** The names and patterns that `event_type` gives, with dots, each once. Those that are wrong are told to `problems`. */
const readEvents = (
  given: string | readonly string[],
  { registryPath, ownTypes, stored = [] }: Omit<InputRules, 'checkUrl'>,
  problems: Problems,
): readonly string[] => {
  const names = [given].flat()
  const events = names.map(
    (name) => parseEventName(name, ownTypes) ?? stored.find((event) => event === canonicalEventName(name)),
  )
  for (const [index, name] of names.entries()) {
    const field = typeof given === 'string' ? 'event_type' : `event_type.${index}`
    const list = `GET ${registryPath} lists all of them.`
    problems.add(field, events[index] === undefined ? eventProblem(name, ownTypes, list) : undefined)
  }
  return [...new Set(events.filter((event) => event !== undefined))]
}

/** What a hook has when its `config` is null. */
const configDefaults = {
  envelope: 'original',
  auth: null,
  signature: 'v1',
  rateLimit: null,
  maxAttempts: null,
  filter: null,
  order: 'none',
  extraConfig: {},
} as const satisfies Partial<SubscriptionSettings>

/** What a hook has that its body does not name. */
const defaults: SubscriptionSettings = {
  ...plainSettings,
  ...configDefaults,
  scope: 'back-office',
  dialect: 'whisperer',
}

export const newSettings = (sent: SentSettings): SubscriptionSettings =>
  settingsOnto(sent, { unnamed: defaults, stored: undefined })

/**
 * Settings after a change. What the body does not name goes back to its default where the body is the whole hook, else it
 * stays, also each key of `config`, which null gives back its defaults. A masked secret stays.
 */
export const mergedSettings = (
  sent: SentSettings,
  stored: SubscriptionSettings,
  isWhole: boolean,
  config: unknown,
): SubscriptionSettings => {
  const kept = config === null ? { ...stored, ...configDefaults } : stored
  return settingsOnto(sent, { unnamed: isWhole ? defaults : kept, stored })
}

/** Characters that the keys of `config` may have as JSON which only their owner understands. */
const maxExtraCharacters = 4_096

const settingsOnto = (
  sent: SentSettings,
  { unnamed, stored }: Pick<Merge, 'unnamed' | 'stored'>,
): SubscriptionSettings => {
  const problems = collectProblems()
  const ownKeys = Object.entries({ ...unnamed.extraConfig, ...sent.extraConfig }).filter(([, value]) => value !== null)
  const extraConfig = Object.fromEntries(ownKeys)
  if (JSON.stringify(extraConfig).length > maxExtraCharacters)
    problems.add('config', `Other keys may have at most ${maxExtraCharacters} characters as JSON.`)
  return mergeSettings({ ...sent, extraConfig }, { fields, unnamed, stored, problems })
}
