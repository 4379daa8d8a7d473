/** What the answer to a broken rule says; rendered by the shape of the surface it happened on (contract, section 1). */
export interface AppErrorDetails {
  /** Field path → what is wrong with it. Makes the error a field error. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** What this caller may do instead, in the wire's action names. */
  readonly allowedActions?: readonly string[]
  /** Response headers the status calls for, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An outcome the caller can act on. Anything else that is thrown is a bug and becomes an opaque 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number
  readonly details: AppErrorDetails

  constructor(code: string, status: number, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = status
    this.details = details
  }
}

/** 400 that names each wrong field. */
export const invalidFields = (fields: Readonly<Record<string, readonly string[]>>): AppError =>
  new AppError('invalid', 400, 'The request has fields that are not valid.', { fields })

/** 400 for one wrong field. */
export const invalidField = (field: string, message: string): AppError => invalidFields({ [field]: [message] })

/** 400 for a rule that the present state does not allow to be broken. */
export const ruleBroken = (code: string, message: string, allowedActions: readonly string[] = []): AppError =>
  new AppError(code, 400, message, { allowedActions })

export const notAuthenticated = (message = 'Authentication credentials were not provided.'): AppError =>
  new AppError('not_authenticated', 401, message, { headers: { 'www-authenticate': 'Bearer, Token' } })

export const forbidden = (message = 'You do not have permission to perform this action.'): AppError =>
  new AppError('forbidden', 403, message)

export const notFound = (message = 'Not found.'): AppError => new AppError('not_found', 404, message)

/** The value. @throws AppError 404 when there is none. */
export const orNotFound = <T>(value: T | undefined, message?: string): T => {
  if (value === undefined) throw notFound(message)
  return value
}

export const conflict = (code: string, message: string): AppError => new AppError(code, 409, message)

/** 429 with the header fields of RFC 9110, 10.2.3 and of the RateLimit draft (seconds). */
export const tooManyRequests = (message: string, limit: number, retryAfterSeconds: number): AppError =>
  new AppError('throttled', 429, message, {
    headers: {
      'retry-after': String(retryAfterSeconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(retryAfterSeconds),
    },
  })
