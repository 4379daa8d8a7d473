import type { RetryStrategy } from '#delivery/retry.ts'
import type { ReceiverAuth } from '#delivery/subscription.ts'
import type { HookRecord } from './hook-schemas.ts'
import type { FullHook } from './manage-hooks.ts'
import { mask, masked } from './mask.ts'

/** A hook as the API shows it. No secret leaves the server: passwords and the signing secret are masked. */
export const toRecord = ({ id, createdAt, modifiedAt, settings }: FullHook): HookRecord => ({
  id,
  event_type: settings.eventTypes[0] ?? '',
  target_url: settings.url,
  is_active: settings.isActive,
  retry_countdown_config: { choice: settings.retry.choice, kwargs: kwargsOf(settings.retry) },
  additional_headers: settings.headers === null ? null : { ...settings.headers },
  config: settings.auth === null ? {} : { auth: withoutPassword(settings.auth) },
  secret_key: masked(settings.secret),
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})

const kwargsOf = ({ kwargs }: RetryStrategy): Record<string, number> => ({ ...kwargs })

const withoutPassword = (auth: ReceiverAuth): ReceiverAuth => ({ ...auth, password: mask })
