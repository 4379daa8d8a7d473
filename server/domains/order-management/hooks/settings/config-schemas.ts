import { Type, type TSchema } from 'typebox'
import { Nullable, OneOf, SentUrl } from '#platform/http/schemas.ts'
import { filterLimits } from './filter-config.ts'
import { envelopes, maxAuthCharacters, maxRate, orders, signatureVersions } from './hook-config.ts'
import { maxParameter, parameters, retryChoices } from './retry-config.ts'

// Descriptions only. The readers of these settings say more of what is wrong than a validator can.

const Parameter = Type.Integer({ minimum: 0, maximum: maxParameter })
const strategies = {
  fixed: 'The same number of seconds before every retry.',
  linear: 'base · n seconds before retry n, at most limit.',
  exponential: 'factor · baseⁿ seconds before retry n, at most limit. factor is 1 when it is left out.',
  random: 'A whole number of seconds between two, by chance.',
}
const strategyOf = (choice: keyof typeof strategies): TSchema => {
  const { required, optional } = parameters[choice]
  const kwargs = {
    ...Object.fromEntries(required.map((name) => [name, Parameter])),
    ...Object.fromEntries(optional.map((name) => [name, Type.Optional(Nullable(Parameter))])),
  }
  return Type.Object(
    {
      choice: Type.Literal(choice),
      kwargs: Type.Optional(Nullable(Type.Object(kwargs, { additionalProperties: false }))),
    },
    {
      title: `${choice.replace(/^./, (first) => first.toUpperCase())}Retry`,
      description: `${strategies[choice]} Without kwargs, what the bare name means.`,
      additionalProperties: false,
    },
  )
}
/** `retry_countdown_config` in a request, as `parseRetryConfig` reads it. */
export const SentRetry = Nullable(Type.Union([OneOf(retryChoices), ...retryChoices.map(strategyOf)]))

const Text = Type.String({ minLength: 1, maxLength: maxAuthCharacters, pattern: String.raw`^[^\u0000-\u001f\u007f]*$` })
const Password = {
  ...Text,
  description: 'Answers show ********. Sent back, it stays while it goes to the same scheme, host and port.',
}
const SentBasicAuth = Type.Object(
  {
    auth_type: Type.Literal('basic'),
    username: { ...Text, pattern: String.raw`^[^\u0000-\u001f\u007f:]*$` },
    password: Password,
  },
  { title: 'SentBasicAuth', description: 'User name and password (RFC 7617).', additionalProperties: false },
)
const SentTokenAuth = Type.Object(
  {
    auth_type: Type.Literal('token'),
    url: SentUrl({ description: 'Where a form POST of user name and password fetches a token.' }),
    username: Text,
    password: Password,
    username_field: Type.Optional({ ...Text, description: 'Field of the form. Default: username.' }),
    password_field: Type.Optional({ ...Text, description: 'Field of the form. Default: password.' }),
    token_key: Type.Optional({ ...Text, description: 'Field of the JSON answer. Default: key.' }),
    header_format: Type.Optional({
      ...Text,
      pattern: String.raw`^[ -z|~]*\{\}[ -z|~]*$`,
      description: 'The header Authorization, with {} for the token. Default: Token {}.',
    }),
  },
  {
    title: 'SentTokenAuth',
    description: 'A token that is fetched before the first delivery, and again when it is refused.',
    additionalProperties: false,
  },
)

const { maxConditions, maxValues, maxCharacters, pathPattern } = filterLimits
const scalar = { maxLength: maxCharacters }
const Scalar = Type.Unsafe({ ...scalar, type: ['string', 'number', 'boolean', 'null'] })
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
const SentFilter = Type.Unsafe({
  title: 'HookFilter',
  description:
    'Conditions by paths in the object, such as items.sku, which all must hold: a value, one of several, or limits.',
  type: 'object',
  maxProperties: maxConditions,
  propertyNames: { pattern: pathPattern },
  additionalProperties: {
    anyOf: [Scalar, Type.Array(Scalar, { minItems: 1, maxItems: maxValues }), Comparison],
  },
})

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

/** `config` in a request, as `readConfig` reads it. */
export const SentConfig = Nullable(
  Type.Object(
    {
      auth: Type.Optional(Nullable(Type.Union([SentBasicAuth, SentTokenAuth]))),
      signature: Type.Optional(
        Nullable(
          OneOf(signatureVersions, {
            description:
              'v1 (default) signs webhook-signature with secret_key; v1a with an Ed25519 key pair that is made here, whose public key ' +
              'GET …/secret/ shows. Another one makes the old keys invalid at once.',
          }),
        ),
      ),
      rate_limit: Type.Optional(Nullable(RateLimit)),
      format: Type.Optional(
        Nullable(
          OneOf(envelopes, {
            description:
              'original (default): {"event": {"type", "uuid"}, "payload"}. standard: {"type", "timestamp", "data"}.',
          }),
        ),
      ),
      max_attempts: Type.Optional(
        Nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'Instead of MAX_ATTEMPTS.' })),
      ),
      order: Type.Optional(
        Nullable(
          OneOf(orders, {
            description:
              'object: what is about one object goes in the order in which it happened, the next when the one before is delivered, ' +
              'given up or dropped. none is the default.',
          }),
        ),
      ),
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
