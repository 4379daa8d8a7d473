import { Type, type TProperties, type TSchema } from 'typebox'
import type { RetryChoice } from '#delivery/subscriber/retry.ts'
import { Nullable, OneOf, SentUrl } from '#platform/http/schemas.ts'
import { saidAs } from '#platform/http/errors/field-errors.ts'

// The readers of these settings choose among the parts of a union themselves: a validator would complain for each of them.

/** At most a week, in seconds (contract, section 11). */
const Parameter = Type.Integer({ minimum: 0, maximum: 604_800 })
const OptionalParameter = Type.Optional(Nullable(Parameter))
const strategyOf = (choice: RetryChoice, description: string, kwargs: TProperties): TSchema =>
  Type.Object(
    {
      choice: Type.Literal(choice),
      kwargs: Type.Optional(Nullable(Type.Object(kwargs, { additionalProperties: false }))),
    },
    {
      title: `${choice.replace(/^./, (first) => first.toUpperCase())}Retry`,
      description: `${description} Without kwargs, what the bare name means.`,
      additionalProperties: false,
    },
  )
/** Parameters of each choice (contract, section 4). */
export const retryStrategies: Readonly<Record<RetryChoice, TSchema>> = {
  fixed: strategyOf('fixed', 'The same number of seconds before every retry.', { seconds: Parameter }),
  linear: strategyOf('linear', 'base · n seconds before retry n, at most limit.', {
    base: Parameter,
    limit: OptionalParameter,
  }),
  exponential: strategyOf(
    'exponential',
    'factor · baseⁿ seconds before retry n, at most limit. factor is 1 when it is left out.',
    { base: Parameter, factor: OptionalParameter, limit: OptionalParameter },
  ),
  random: strategyOf('random', 'A whole number of seconds between two, by chance.', {
    min_value: Parameter,
    max_value: Parameter,
  }),
}
export const retryChoices = Object.keys(retryStrategies) as RetryChoice[]
export const RetryName = OneOf(retryChoices)
/** `retry_countdown_config` in a request, as `parseRetryConfig` reads it. */
export const SentRetry = Nullable(Type.Union([RetryName, ...Object.values(retryStrategies)]))

const Text = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: saidAs('Control characters are not allowed.', String.raw`^[^\u0000-\u001f\u007f]*$`),
})
const Password = {
  ...Text,
  description: 'Answers show ********. Sent back, it stays while it goes to the same scheme, host and port.',
}
export const SentBasicAuth = Type.Object(
  {
    auth_type: Type.Literal('basic'),
    username: {
      ...Text,
      pattern: saidAs(
        'A user name for basic has no colon (RFC 7617), and no control characters.',
        String.raw`^[^\u0000-\u001f\u007f:]*$`,
      ),
    },
    password: Password,
  },
  { title: 'SentBasicAuth', description: 'User name and password (RFC 7617).', additionalProperties: false },
)
export const SentTokenAuth = Type.Object(
  {
    auth_type: Type.Literal('token'),
    url: SentUrl({ description: 'Where a form POST of user name and password fetches a token.' }),
    username: Text,
    password: Password,
    username_field: Type.Optional({ ...Text, description: 'Field of the form. Default: username.' }),
    password_field: Type.Optional({ ...Text, description: 'Field of the form. Default: password.' }),
    token_key: Type.Optional({ ...Text, description: 'Field of the JSON answer. Default: key.' }),
    header_format: Type.Optional({
      ...Type.String({ maxLength: 256 }),
      pattern: saidAs('Use ASCII characters, with {} once for the token.', String.raw`^[ -z|~]*\{\}[ -z|~]*$`),
      description: 'The header Authorization, with {} for the token. Default: Token {}.',
    }),
  },
  {
    title: 'SentTokenAuth',
    description: 'A token that is fetched before the first delivery, and again when it is refused.',
    additionalProperties: false,
  },
)

const scalar = { maxLength: 256 }
const Scalar = Type.Unsafe({ ...scalar, type: ['string', 'number', 'boolean', 'null'] })
const Scalars = Type.Array(Scalar, { minItems: 1, maxItems: 50 })
const Limit = Type.Optional(Type.Unsafe({ ...scalar, type: ['string', 'number'] }))
const Comparison = Type.Object(
  { gt: Limit, gte: Limit, lt: Limit, lte: Limit, exists: Type.Optional(Type.Boolean()) },
  {
    title: 'FilterComparison',
    description: 'Limits of a value, and whether its key is there, with null too.',
    minProperties: 1,
    additionalProperties: false,
  },
)
export const filterConditions = { scalar: Scalar, scalars: Scalars, comparison: Comparison }
/** Of a path: up to ten names joined by dots. */
export const filterPath = String.raw`^[\w-]{1,64}(?:\.[\w-]{1,64}){0,9}$`
export const maxConditions = 10
export const SentFilter = Type.Unsafe({
  title: 'HookFilter',
  description:
    'Conditions by paths in the object, such as items.sku, which all must hold: a value, one of several, or limits.',
  type: 'object',
  maxProperties: maxConditions,
  propertyNames: { pattern: filterPath },
  additionalProperties: { anyOf: [Scalar, Scalars, Comparison] },
})

const maxRate = 10_000
const RateLimit = Type.Object(
  {
    per_second: Type.Number({ minimum: 0.1, maximum: maxRate, description: 'Deliveries in a second at most.' }),
    burst: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 1, maximum: maxRate, description: 'Deliveries at once at most. Default: per_second.' }),
      ),
    ),
  },
  { additionalProperties: false },
)

const signature = OneOf(['v1', 'v1a'], {
  description:
    'v1 (default) signs webhook-signature with secret_key; v1a with an Ed25519 key pair that is made here, whose public key ' +
    'GET …/secret/ shows. Another one makes the old keys invalid at once.',
})
const format = OneOf(['original', 'standard'], {
  description: 'original (default): {"event": {"type", "uuid"}, "payload"}. standard: {"type", "timestamp", "data"}.',
})
const order = OneOf(['object', 'none'], {
  description:
    'object: what is about one object goes in the order in which it happened, the next when the one before is delivered, ' +
    'given up or dropped. none is the default.',
})
/** The settings of `config` that are read as they are described. */
export const PlainSettings = Type.Object({
  signature: Type.Optional(Nullable(signature)),
  rate_limit: Type.Optional(Nullable(RateLimit)),
  format: Type.Optional(Nullable(format)),
  max_attempts: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'Instead of MAX_ATTEMPTS.' })),
  ),
  order: Type.Optional(Nullable(order)),
})

/** `config` in a request, as `readConfig` reads it. */
export const SentConfig = Nullable(
  Type.Object(
    {
      auth: Type.Optional(Nullable(Type.Union([SentBasicAuth, SentTokenAuth]))),
      ...PlainSettings.properties,
      filter: Type.Optional(Nullable(SentFilter)),
      callback: Type.Optional(Type.Null()),
    },
    {
      title: 'SentHookConfig',
      description: 'How a hook is delivered to. Keys of your own are kept and shown, up to 4,096 characters as JSON.',
      additionalProperties: true,
    },
  ),
)
