import { Type, type Static } from 'typebox'
import {
  Body,
  CheckedElsewhere,
  Id,
  Nullable,
  SentTarget,
  ShownTarget,
  ShownUrl,
  Timestamp,
} from '#platform/http/schemas.ts'
import { RetryName, SentConfig, SentRetry } from './settings/config-schemas.ts'
import { booleanPattern } from './settings/original-forms.ts'

const readOnly = ['id', 'created_date', 'modified_date'] as const

/** `event_type` of a body. */
export const eventType = Type.Unsafe<string | readonly string[]>({
  type: ['string', 'array'],
  maxLength: 200,
  items: { type: 'string', maxLength: 200 },
  minItems: 1,
  maxItems: 100,
  description:
    'An event of the registry, a pattern (package.*: whatever begins so; *: every event), or an array of these; hyphens and dots are alike. ' +
    'A hook gets an event once, however many of its patterns match.',
  examples: ['package.created', 'package-created', ['package.*', 'stock_location.updated']],
})
const targetUrl = SentTarget()

/** A boolean that may be text or a number, as forms of the original have it (settings/original-forms.ts). */
export const BooleanOrText = (description: string) =>
  CheckedElsewhere(Type.Boolean({ description }), {
    type: ['boolean', 'string', 'integer'],
    pattern: booleanPattern,
    minimum: 0,
    maximum: 1,
  })

const optional = {
  is_active: Type.Optional(
    BooleanOrText('Whether new events are delivered: true, false, or a text such as "yes" or "off". Default: true.'),
  ),
  retry_countdown_config: Type.Optional(
    CheckedElsewhere(
      Type.Unknown({
        description: 'When a failed delivery is tried again. null and absent mean exponential.',
        examples: ['linear', { choice: 'fixed', kwargs: { seconds: 60 } }],
      }),
      SentRetry,
    ),
  ),
  additional_headers: Type.Optional(
    Nullable(
      Type.Record(Type.String(), CheckedElsewhere(Type.String(), { type: ['string', 'number'] }), {
        description:
          'At most 20 headers for the receiver. They can replace none that every delivery carries. ' +
          'Answers show ******** in place of credentials (by name: authorization, token, key, …), and sending that back keeps the value.',
        examples: [{ 'X-Shop': 'north' }],
      }),
    ),
  ),
  config: Type.Optional(
    CheckedElsewhere(
      Type.Unknown({
        description:
          'PATCH changes the keys that it names and keeps the others; null removes a key, which gives a setting back its default, and null in place of config removes all. In PUT, what is not named is removed.',
        examples: [
          { auth: { auth_type: 'basic', username: 'shop', password: 'secret' } },
          { signature: 'v1a' },
          { rate_limit: { per_second: 5 } },
          { format: 'standard', max_attempts: 5 },
          { order: 'object' },
          { filter: { status: ['packed', 'shipped'], 'items.quantity': { gte: 10 } } },
        ],
      }),
      SentConfig,
    ),
  ),
  secret_key: Type.Optional(
    Nullable(
      Type.String({
        description:
          'Signs every delivery. whsec_… is base64 (Standard Webhooks), anything else is used as it is. Answers show ********, and sending that back keeps it. ' +
          'Another one replaces it at once; POST …/secret/ changes it with an overlap. With signature v1a it signs x-whisperer-signature alone.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
  ),
  callback: Type.Optional(
    CheckedElsewhere(
      Type.Unknown({ description: 'Only null: a subscriber never names code to run here.', examples: [null] }),
      { type: 'null' },
    ),
  ),
}

export const WholeHook = Body({ event_type: eventType, target_url: targetUrl, ...optional }, readOnly, {
  title: 'NewHook',
  description: 'A subscription to make, or the whole of one to put in its place.',
  examples: [{ event_type: 'package.created', target_url: 'https://example.com/hooks' }],
})
export const PartOfHook = Body(
  { event_type: Type.Optional(eventType), target_url: Type.Optional(targetUrl), ...optional },
  readOnly,
  { title: 'HookPatch', description: 'Changes of a hook; what is left out stays.', examples: [{ is_active: false }] },
)

const BasicAuth = Type.Object(
  { auth_type: Type.Literal('basic'), username: Type.String(), password: Type.String() },
  { title: 'BasicAuth', description: 'User name and password of a receiver (RFC 7617).' },
)
const TokenAuth = Type.Object(
  {
    auth_type: Type.Literal('token'),
    url: ShownUrl,
    username: Type.String(),
    password: Type.String(),
    username_field: Type.String(),
    password_field: Type.String(),
    token_key: Type.String(),
    header_format: Type.String(),
  },
  { title: 'TokenAuth', description: 'Where a token for the receiver is fetched, and how it is sent.' },
)

/** The stored record as answers show it. */
export const HookRecord = Type.Object(
  {
    id: Id,
    event_type: Type.Unsafe<string | readonly string[]>({
      anyOf: [Type.String(), Type.Array(Type.String())],
      description: 'As it was sent, with dots.',
    }),
    target_url: ShownTarget,
    is_active: Type.Boolean({
      description: 'false also after the receiver answered 410, or the owner lost the rights that hooks need.',
    }),
    retry_countdown_config: Type.Object({
      choice: RetryName,
      kwargs: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
    }),
    additional_headers: Type.Record(Type.String(), Type.String()),
    config: Type.Object(
      {
        auth: Type.Optional(Type.Union([BasicAuth, TokenAuth])),
        signature: Type.Optional(Type.Literal('v1a', { description: 'Absent for v1.' })),
        rate_limit: Type.Optional(
          Type.Object({ per_second: Type.Number({ minimum: 0.1 }), burst: Type.Integer({ minimum: 1 }) }),
        ),
        format: Type.Optional(Type.Literal('standard', { description: 'Absent for original.' })),
        max_attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        order: Type.Optional(Type.Literal('object', { description: 'Absent for none.' })),
        filter: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      },
      {
        title: 'HookConfig',
        description: 'How a hook is delivered to. What is as usual is left out; keys of your own are kept and shown.',
        additionalProperties: true,
      },
    ),
    secret_key: Nullable(Type.String({ description: '******** or null.' })),
    callback: Type.Null(),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'Hook', description: 'A subscription: where events go, which, and how.' },
)
export type HookRecord = Static<typeof HookRecord>

/** The hook of an event: of a removed one little is left. */
export const HookOfEvent = Type.Object(
  {
    ...HookRecord.properties,
    target_url: Nullable(HookRecord.properties.target_url),
    retry_countdown_config: Nullable(HookRecord.properties.retry_countdown_config),
  },
  {
    title: 'HookOfEvent',
    description: 'The hook as it is now. Of a removed one target_url, retry_countdown_config and the rest are null.',
  },
)
export type HookOfEvent = Static<typeof HookOfEvent>
