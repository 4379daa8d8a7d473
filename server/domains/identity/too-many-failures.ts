import { AppError } from '#platform/errors.ts'
import { mostFailures } from './throttle.ts'

/** 429 with the header fields of RFC 9110, 10.2.3 and of the RateLimit draft (seconds). */
export const tooManyFailures = (retryAfterSeconds: number): AppError =>
  new AppError('throttled', 429, `Too many failed logins. Try again in ${retryAfterSeconds} seconds.`, {
    headers: {
      'retry-after': String(retryAfterSeconds),
      'ratelimit-limit': String(mostFailures),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(retryAfterSeconds),
    },
  })
