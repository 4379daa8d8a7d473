import type { RetryStrategy } from '#delivery/subscriber/retry.ts'
import type { ReceiverAuth, SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { HookRecord } from './hook-schemas.ts'
import type { FullHook } from './manage-hooks.ts'
import { mask, masked, maskedHeaders } from '#delivery/subscriber/mask.ts'

/** A hook as the API shows it. No secret leaves the server: the signing secret, passwords and headers that carry credentials are masked. */
export const toRecord = ({ id, createdAt, modifiedAt, settings }: FullHook): HookRecord => ({
  id,
  event_type: settings.eventTypes[0] ?? '',
  target_url: settings.url,
  is_active: settings.isActive,
  retry_countdown_config: { choice: settings.retry.choice, kwargs: kwargsOf(settings.retry) },
  additional_headers: settings.headers === null ? null : maskedHeaders(settings.headers),
  config: configOf(settings),
  secret_key: masked(settings.secret),
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})

const kwargsOf = ({ kwargs }: RetryStrategy): Record<string, number> => ({ ...kwargs })

type ConfigSettings = Pick<SubscriptionSettings, 'auth' | 'signature' | 'rateLimit'>

/** The usual signature is not named: clients of the original service know nothing of it. */
const configOf = ({ auth, signature, rateLimit = null }: ConfigSettings): HookRecord['config'] => ({
  ...(auth === null ? {} : { auth: withoutPassword(auth) }),
  ...(signature === 'v1a' ? { signature } : {}),
  ...(rateLimit === null ? {} : { rate_limit: { per_second: rateLimit.perSecond, burst: rateLimit.burst } }),
})

const withoutPassword = (auth: ReceiverAuth): ReceiverAuth => ({ ...auth, password: mask })
