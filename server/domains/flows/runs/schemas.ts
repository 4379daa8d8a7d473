import { Type, type Static } from 'typebox'
import { attemptFacts } from '#delivery/records/attempt-facts.ts'
import { webhookIdPattern } from '#delivery/tables/webhook-id.ts'
import { pageQuery } from '#platform/http/pagination.ts'
import { problemResponses } from '#platform/http/problem-details.ts'
import { Body, Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { runStates } from './run-state.ts'

const tags = ['Flows']

const state = OneOf(runStates, {
  description:
    'queued: not tried yet; running: tried, and due again; succeeded: the target answered 2xx; failed: given up, or the flow was removed.',
})

export const FlowParams = Type.Object({ flowId: Id })
export const RunParams = Type.Object({ flowId: Id, runId: Id })

const StartedRun = Type.Object({ run_id: Id, state }, { title: 'StartedRun' })

const common = {
  run_id: Id,
  uuid: Type.String({ description: 'The webhook-id that every attempt carries.' }),
  flow: Id,
  state,
  attempts: Type.Integer({ description: 'Attempts that have begun.' }),
  next_attempt_at: Nullable(Timestamp),
  last_status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt; null without an answer.' })),
  last_reason: Nullable(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['http_503', 'timeout'] }),
  ),
  content_type: Nullable(Type.String({ examples: ['text/csv; charset=utf-8'] })),
  size: Type.Integer({ description: 'Bytes of data.' }),
  payload: Nullable(Type.String({ description: 'The data. In lists null when it is larger than 12 KiB.' })),
  payload_encoding: Nullable(
    OneOf(['utf-8', 'base64'], {
      description: 'How payload shows it: as text when it is UTF-8. null without payload.',
    }),
  ),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
}

export const RunRecord = Type.Object(common, { title: 'Run' })
export type RunRecord = Static<typeof RunRecord>

const AttemptRecord = Type.Object(
  {
    ...attemptFacts,
    response_status: Nullable(Type.Integer()),
    response_body: Nullable(Type.String({ description: 'At most 64 KiB of it.' })),
  },
  { title: 'RunAttempt' },
)
export type AttemptRecord = Static<typeof AttemptRecord>

const RunDetail = Type.Object(
  {
    ...common,
    attempt_log: Type.Array(AttemptRecord, {
      description: 'The first one first. Kept for a shorter time than the run.',
    }),
  },
  { title: 'RunDetail' },
)

/** The body of an action that needs none: absent, `null` or an object. */
const retryBody = Body(
  { force: Type.Optional(Type.Boolean({ description: 'Also when it has succeeded, or is due only later.' })) },
  [],
  { examples: [{ force: true }] },
)
const RetryBody = Type.Unsafe<Static<typeof retryBody> | null>({ ...retryBody, type: ['object', 'null'] })

const time = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: 40, examples: ['2026-11-21T09:30:00Z'] }))

export const dataSchema = {
  tags,
  summary: 'Send data through a flow',
  description:
    'The body, of any content type and at most 1 MiB, goes to the target of the outbound flow byte for byte, with its content ' +
    'type (application/octet-stream where there is none). 202 means that it is stored, and sent until the target takes it. ' +
    'Repeated with its Idempotency-Key, the request gets the first answer, and nothing is sent twice. ' +
    'Packed data (Content-Encoding) is refused: the target could not read it.',
  operationId: 'sendFlowData',
  consumes: ['*/*'],
  params: FlowParams,
  body: Type.Unsafe<unknown>({ description: 'The data.' }),
  response: { ...problemResponses, 202: StartedRun },
} as const
export const listSchema = {
  tags,
  summary: 'List the runs of a flow',
  description: 'The newest first, those of a removed flow too.',
  operationId: 'listFlowRuns',
  params: FlowParams,
  querystring: Type.Object({
    ...pageQuery(),
    state: Type.Optional(state),
    uuid: Type.Optional(
      Type.String({
        pattern: webhookIdPattern,
        description: 'The webhook-id that the target got, with or without hyphens.',
        examples: ['019aa5f2-8d40-7001-9b1e-5c0f3a7d2e64'],
      }),
    ),
    created_at__gte: time('Created at this time or later.'),
    created_at__lt: time('Created before this time.'),
  }),
  response: { ...problemResponses, 200: Type.Array(RunRecord) },
} as const
export const getSchema = {
  tags,
  summary: 'Get a run with its attempts',
  operationId: 'getFlowRun',
  params: RunParams,
  response: { ...problemResponses, 200: RunDetail },
} as const
export const retrySchema = {
  tags,
  summary: 'Send the data of a run again',
  description:
    'It is due at once, with the same webhook-id and the same bytes, and as many attempts as a new one. ' +
    'It waits all the same while the target has asked for quiet, is failing, or was switched off by the server: see the health of the flow. ' +
    '409 while it is due, or when it has succeeded, unless that is forced; always while an attempt is under way, when somebody has ' +
    'switched the flow off, and after it was removed.',
  operationId: 'retryFlowRun',
  params: RunParams,
  body: RetryBody,
  response: { ...problemResponses, 202: StartedRun },
} as const
