import type { Body, Schema } from '#api/types.ts'
import { toConditions, toFilter, type Condition } from './conditions.ts'
import { defaultKwargs, type Choice, type Kwargs } from './retry-times.ts'

type Hook = Schema<'Hook'>
type HookBody = Body<'post', '/whisperer/hooks'>

export interface HeaderRow {
  readonly key: number
  readonly name: string
  readonly value: string
}

/** How deliveries log in at the receiver, with the fields of both ways, so that changing the way loses nothing. */
export interface AuthForm {
  readonly kind: 'none' | 'basic' | 'token'
  readonly username: string
  readonly password: string
  readonly url: string
  readonly username_field: string
  readonly password_field: string
  readonly token_key: string
  readonly header_format: string
}

/** A hook as its form has it. */
export interface HookForm {
  readonly events: readonly string[]
  readonly url: string
  readonly conditions: readonly Condition[]
  readonly choice: Choice
  readonly kwargs: Kwargs
  /** undefined: as the server has it. */
  readonly maxAttempts: number | undefined
  readonly perSecond: number | undefined
  /** Deliveries at once, which has no field; it stays as it was. */
  readonly burst: number | undefined
  readonly isOrdered: boolean
  readonly format: 'original' | 'standard'
  readonly signature: 'v1' | 'v1a'
  readonly headers: readonly HeaderRow[]
  readonly auth: AuthForm
}

const noAuth: AuthForm = {
  kind: 'none',
  username: '',
  password: '',
  url: '',
  username_field: 'username',
  password_field: 'password',
  token_key: 'key',
  header_format: 'Token {}',
}

export const emptyForm: HookForm = {
  events: [],
  url: '',
  conditions: [],
  choice: 'exponential',
  kwargs: defaultKwargs.exponential,
  maxAttempts: undefined,
  perSecond: undefined,
  burst: undefined,
  isOrdered: false,
  format: 'original',
  signature: 'v1',
  headers: [],
  auth: noAuth,
}

/** The names and patterns that a hook listens to. */
export const eventsOf = ({ event_type: events }: Pick<Hook, 'event_type'>): readonly string[] =>
  typeof events === 'string' ? [events] : events

export const toForm = (hook: Hook): HookForm => {
  const { auth, filter, format, max_attempts, order, rate_limit, signature } = hook.config
  return {
    events: eventsOf(hook),
    url: hook.target_url,
    conditions: toConditions(filter),
    choice: hook.retry_countdown_config.choice,
    kwargs: hook.retry_countdown_config.kwargs,
    maxAttempts: max_attempts,
    perSecond: rate_limit?.per_second,
    burst: rate_limit?.burst,
    isOrdered: order === 'object',
    format: format ?? 'original',
    signature: signature ?? 'v1',
    headers: Object.entries(hook.additional_headers).map(([name, value], key) => ({ key, name, value })),
    auth: auth === undefined ? noAuth : { ...noAuth, ...auth, kind: auth.auth_type },
  }
}

/** The form as the API takes it. What is as usual is null, which gives a setting back its default. */
export const toBody = (form: HookForm): HookBody => {
  const [first = ''] = form.events
  const headers = form.headers.filter(({ name }) => name.trim() !== '')
  return {
    event_type: form.events.length === 1 ? first : [...form.events],
    target_url: form.url.trim(),
    retry_countdown_config: { choice: form.choice, kwargs: form.kwargs } as HookBody['retry_countdown_config'],
    additional_headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    config: {
      filter: toFilter(form.conditions) ?? null,
      auth: toAuth(form.auth),
      format: form.format === 'original' ? null : form.format,
      order: form.isOrdered ? 'object' : null,
      signature: form.signature === 'v1' ? null : form.signature,
      max_attempts: form.maxAttempts ?? null,
      rate_limit: form.perSecond === undefined ? null : { per_second: form.perSecond, burst: form.burst ?? null },
    } as HookBody['config'],
  } as HookBody
}

const toAuth = ({ kind, username, password, ...token }: AuthForm): object | null => {
  if (kind === 'none') return null
  if (kind === 'basic') return { auth_type: 'basic', username, password }
  return { auth_type: 'token', username, password, ...token }
}

/** A secret of Standard Webhooks: 32 random bytes. */
export const newSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
