/** Why a call of the API did not succeed, in one shape for all surfaces. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** What was wrong with each field of the request. */
  readonly fields: Readonly<Record<string, string>>
  /** Code of a broken rule (docs/errors.md). */
  readonly code: string | undefined
  /** What whoever runs the server finds the request by. */
  readonly requestId: string | undefined
  /** The body as it came, for what a caller alone understands. */
  readonly body: unknown

  constructor(message: string, facts: Partial<Pick<ApiError, 'status' | 'fields' | 'code' | 'requestId' | 'body'>>) {
    super(message)
    this.name = 'ApiError'
    this.status = facts.status ?? 0
    this.fields = facts.fields ?? {}
    this.code = facts.code
    this.requestId = facts.requestId
    this.body = facts.body
  }
}

/** @param cause the answer that is no 2xx, or what `fetch` threw when there was none. */
export const toApiError = async (cause: unknown): Promise<ApiError> => {
  if (cause instanceof ApiError) return cause
  if (!(cause instanceof Response)) return new ApiError(String(cause instanceof Error ? cause.message : cause), {})
  const requestId = cause.headers.get('x-request-id') ?? undefined
  const text = await cause.text()
  const body = parsed(text)
  const { message, fields, code } = read(body, text)
  return new ApiError(message ?? `HTTP ${cause.status}`, { status: cause.status, fields, code, requestId, body })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The login of the flows answers in plain text.
    return undefined
  }
}

interface Reading {
  readonly message: string | undefined
  readonly fields: Record<string, string>
  readonly code: string | undefined
}

/** The shapes of the surfaces: docs/errors.md. */
const read = (body: unknown, text: string): Reading => {
  if (!isObject(body)) return { message: text === '' ? undefined : text.slice(0, 500), fields: {}, code: undefined }
  const inner = isObject(body['validationError']) ? body['validationError'] : body
  const fields = Object.fromEntries(
    Object.entries(inner).flatMap(([name, value]) => {
      const words = sentences(value)
      return words === undefined || notFields.has(name) ? [] : [[name, words]]
    }),
  )
  const general = [body['non_field_errors'], body['apiError'], body['detail'], body['title'], body['en']].map(sentences)
  const message = general.find((words) => words !== undefined) ?? fieldSentence(fields)
  const code = typeof body['code'] === 'string' ? body['code'] : undefined
  return { message, fields, code }
}

const notFields = new Set([
  'non_field_errors',
  'apiError',
  'detail',
  'code',
  'allowed_actions',
  'type',
  'title',
  'status',
  'en',
])

const sentences = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const words = value.filter((one): one is string => typeof one === 'string')
  return words.length === 0 ? undefined : words.join(' ')
}

const fieldSentence = (fields: Record<string, string>): string | undefined => {
  const words = Object.entries(fields).map(([name, text]) => `${name}: ${text}`)
  return words.length === 0 ? undefined : words.join(' ')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
