/** Why a call did not succeed, in one shape for all of the API. */
export class WaybillError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Code of a broken rule: it does not change, where sentences may. */
  readonly code: string | undefined
  /** What was wrong with each field of the request. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** What can be done instead, where a life cycle refused. */
  readonly allowedActions: readonly string[]
  /** By which whoever runs the server finds the request in its log. */
  readonly requestId: string | undefined
  /** When to try again, where the server said so. */
  readonly retryAfterSeconds: number | undefined
  /** The body as it came. */
  readonly body: unknown

  constructor(message: string, facts: Partial<Omit<WaybillError, keyof Error>> = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WaybillError'
    this.status = facts.status ?? 0
    this.code = facts.code
    this.fields = facts.fields ?? {}
    this.allowedActions = facts.allowedActions ?? []
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.body = facts.body
  }
}

/** The error that an answer stands for. */
export const errorOf = async (response: Response): Promise<WaybillError> => {
  const text = await response.text()
  const body = parsed(text)
  const { message, ...facts } = readErrorBody(body ?? text)
  return new WaybillError(`${message || 'No reason was given.'} (HTTP ${response.status})`, {
    ...facts,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(response),
    body: body ?? text,
  })
}

/** Seconds of `Retry-After`, which the server says as a number. */
export const retryAfterOf = (response: Response): number | undefined => {
  const value = response.headers.get('retry-after')
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined
}

type Reading = Pick<WaybillError, 'message' | 'code' | 'fields' | 'allowedActions'>

/** Names beside which no field has messages. */
const others = ['non_field_errors', 'apiError', 'allowed_actions']

/** The shapes of errors, by surface: fields, broken rules, sentences, problem details. */
export const readErrorBody = (body: unknown): Reading => {
  if (!isObject(body)) return { message: String(body), code: undefined, fields: {}, allowedActions: [] }
  const named = [body['validationError'], body['errors']].find(isObject) ?? body
  const messages = Object.entries(named).filter((entry): entry is [string, string[]] => isTexts(entry[1]))
  const fields = Object.fromEntries(messages.filter(([name]) => !others.includes(name)))
  const sentences = [named['non_field_errors'], body['apiError'], body['detail'], body['en']].map(textOf)
  const ofFields = Object.entries(fields).map(([name, texts]) => `${name}: ${texts.join(' ')}`)
  return {
    message: sentences.find((one) => one !== undefined) ?? ofFields.join(' '),
    code: typeof body['code'] === 'string' ? body['code'] : undefined,
    fields,
    allowedActions: isTexts(body['allowed_actions']) ? body['allowed_actions'] : [],
  }
}

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return isTexts(value) ? value.join(' ') : undefined
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
