import type { AnswerHeader } from './openapi/overview.ts'
import {
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
} from 'typebox'
import { timePattern } from '../time-text.ts'
import { saidAs } from './errors/field-errors.ts'

// A schema with a `title` is a component of the API description by that name (openapi-components.ts).

/** Integer id of every surface but the project one: positive, within 53 bits. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** An id, with what it is the id of. */
export const IdOf = (description: string) => Type.Integer({ ...Id, description })

/** RFC 3339 in UTC with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Like `Nullable`, for request bodies: as one type, so that an error says what is expected instead of naming a union. */
export const orNull = <T extends TSchema & { readonly type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })

/** One of some words. An enum in JSON Schema, so that errors list the words. */
export const OneOf = <const T extends readonly string[]>(words: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

/** A text that is not only blanks. */
export const NotBlank = (maxLength: number, options: TStringOptions = {}) =>
  Type.String({ maxLength, pattern: String.raw`\S`, ...options })

interface BodyOptions {
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/**
 * A request body: fields that are not listed are refused, and the read-only ones, which clients
 * send back because they read them, are accepted and ignored (contract, section 1).
 * @param options.examples whole bodies that are valid: what the API reference offers to send.
 */
export const Body = <T extends TProperties>(
  properties: T,
  readOnly: readonly string[] = [],
  options: BodyOptions = {},
): TObject<T> => {
  const ignored = Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored.' }))
  const all: TProperties = { ...properties, ...Object.fromEntries(readOnly.map((name) => [name, ignored])) }
  return Type.Object(all as T, { additionalProperties: false, ...options })
}

/** The body of an action that needs none: absent, `null` or an object, in which unknown fields are refused. */
export const OptionalBody = <T extends TProperties>(properties: T, options: BodyOptions = {}) => {
  const body = Body(properties, [], options)
  return Type.Unsafe<Static<typeof body> | null>({ ...body, type: ['object', 'null'] })
}

/** A schema with what it means as the answer of one operation, where the usual words for the status would be wrong. */
export const Described = <T extends TSchema>(description: string, schema: T) =>
  Type.Unsafe<Static<T>>({ ...schema, 'x-response-description': description })

/** A schema with keywords that only the API description has: what they say is checked where the error can say more. */
export const CheckedElsewhere = <T extends TSchema>(schema: T, keywords: object): T => ({
  ...schema,
  'x-checked-elsewhere': keywords,
})

/** A time in a request (contract, section 1), which `parseTime` reads. */
export const SentTime = (options: TStringOptions = {}) =>
  CheckedElsewhere(
    Type.String({
      maxLength: 40,
      description: 'RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC.',
      examples: ['2026-11-21T09:30:00Z'],
      ...options,
    }),
    { pattern: timePattern },
  )

/** An amount of money in an answer, with all digits of its currency (contract, section 1). */
export const Amount = Type.String({
  pattern: String.raw`^-?[0-9]+(\.[0-9]+)?$`,
  examples: ['1234.50'],
})

/** A currency by ISO 4217. */
export const Currency = Type.String({
  pattern: saidAs('Expected three letters of ISO 4217, such as EUR.', '^[A-Z]{3}$'),
  description: 'Three letters of ISO 4217.',
  examples: ['EUR'],
})

/** An amount of money in a request, as a text or a number. How many decimals it may have, its currency says. */
export const SentAmount = (options: TSchemaOptions = {}) =>
  CheckedElsewhere(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      description: 'With at most the decimals of its currency.',
      examples: ['49.90'],
      ...options,
    }),
    { pattern: String.raw`^[0-9]{1,16}(\.[0-9]{1,4})?$`, minimum: 0 },
  )

/** How a URL that is only shown begins. */
export const httpPattern = '^[Hh][Tt][Tt][Pp][Ss]?://'
/** The form of an http or https URL of ASCII characters, without a fragment. */
const urlPattern = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[!-"$-\[\]-~]+$`
/** The address of a receiver, as it was sent. */
export const ShownUrl = Type.String({ maxLength: 2_048, pattern: urlPattern, examples: ['https://example.com/hooks'] })

/** The address of a receiver in a request, which `urlProblem` judges. */
export const SentUrl = (options: TStringOptions = {}) =>
  CheckedElsewhere(
    Type.String({
      description: 'http or https, at most 2,048 ASCII characters, without user name, password and fragment.',
      examples: ['https://example.com/hooks'],
      ...options,
    }),
    { format: 'uri', maxLength: 2_048, pattern: urlPattern },
  )

/** The form of a URL of a receiver: of the web, or of a broker. */
const targetPattern = String.raw`^(?:[Hh][Tt][Tt][Pp]|[Nn][Aa][Tt][Ss]|[Aa][Mm][Qq][Pp]|[Rr][Ee][Dd][Ii][Ss])[Ss]?://[!-"$-\[\]-~]+$`
const targetExamples = ['https://example.com/hooks', 'nats://nats.example.com/orders']
/** The target of a subscription, as it was sent. */
export const ShownTarget = Type.String({ maxLength: 2_048, pattern: targetPattern, examples: targetExamples })

/** The target of a subscription in a request, which `targetProblem` judges. */
export const SentTarget = (options: TStringOptions = {}) =>
  CheckedElsewhere(
    Type.String({
      description:
        'http or https, or a place in a broker: nats(s)://host/subject of NATS JetStream, amqp(s)://host/vhost?exchange=…&routing_key=… of RabbitMQ, ' +
        'redis(s)://host/db?stream=… of Redis; {event_type} in these names becomes the type of the event. At most 2,048 ASCII characters, without user name, password and fragment.',
      examples: targetExamples,
      ...options,
    }),
    { format: 'uri', maxLength: 2_048, pattern: targetPattern },
  )

/** A schema of an answer that has headers of its own, by their names in the API description. */
export const WithHeaders = <T extends TSchema>(schema: T, ...names: readonly AnswerHeader[]) =>
  Type.Unsafe<Static<T>>({ ...schema, headers: Object.fromEntries(names.map((name) => [name, {}])) })

/** Path parameter `id`. Anything that is not an id names nothing: 404. */
export const IdParams = Type.Object({ id: Type.Integer({ ...Id, title: 'Id', description: 'Id of the record.' }) })

const Messages = Type.Array(Type.String())
/** Path of a field → what is wrong with it. */
export const FieldErrors = Type.Record(Type.String(), Messages, {
  title: 'FieldErrors',
  description: 'Path of a field → messages; `non_field_errors` for what is no field.',
  examples: [{ field_name: ['This field is required.'] }],
})
/** Names a rule, for programs. The description of the API lists its values (openapi/openapi.ts). */
export const ErrorCode = Type.String({ title: 'ErrorCode' })
const BrokenRule = Type.Object(
  {
    non_field_errors: Messages,
    code: ErrorCode,
    allowed_actions: Type.Optional(Type.Array(Type.String(), { description: 'What the caller may do instead.' })),
  },
  {
    title: 'BrokenRule',
    description: 'A rule that the present state does not allow.',
    examples: [
      { non_field_errors: ['Less is available than was asked for.'], code: 'insufficient_stock', allowed_actions: [] },
    ],
  },
)
const BadRequest = Type.Unsafe<object>({
  title: 'BadRequest',
  description: 'Fields that are not valid, or a broken rule.',
  anyOf: [BrokenRule, FieldErrors],
})
export const Detail = Type.Object(
  { detail: Type.String({ description: 'For people: what is wrong.' }) },
  {
    title: 'Detail',
    description: 'What is wrong, in a sentence.',
    examples: [{ detail: 'A sentence that says what is wrong.' }],
  },
)

const errorStatuses = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const
type ErrorStatus = (typeof errorStatuses)[number]

/** Error answers of a surface, to spread into a route's `response`. */
export const errorsAs = <T>(answer: (status: ErrorStatus) => T) =>
  Object.fromEntries(errorStatuses.map((status) => [status, answer(status)])) as Record<ErrorStatus, T>

/** Those of the surfaces with the default shape. */
export const errorResponses = { ...errorsAs(() => Detail), 400: BadRequest, 409: BrokenRule }

export const ValidationMessages = Messages
