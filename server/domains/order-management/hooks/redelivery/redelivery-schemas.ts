import { Type, type Static } from 'typebox'
import { Body, Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { OptionalBody } from '../../request-fields.ts'
import { HookEventFilter } from '../log/hook-event-filter.ts'

const pace = {
  per_second: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Deliveries queued in a second. Default: 200.' }),
  ),
  start: Type.Optional(
    Type.Boolean({ description: 'Without it nothing is started, and the answer says how many it would be.' }),
  ),
}

export const RecoverBody = Body(
  {
    since: Type.String({
      maxLength: 40,
      description: 'Events since then. A time without a zone is UTC; a date is its first moment.',
      examples: ['2026-11-21T09:30:00Z'],
    }),
    ...pace,
  },
  [],
  { title: 'RecoveryRequest', examples: [{ since: '2026-11-21T09:30:00Z' }] },
)
export type RecoverBody = Static<typeof RecoverBody>

export const RetryBody = Body(
  {
    filter: HookEventFilter,
    force: Type.Optional(Type.Boolean({ description: 'Also what was delivered.' })),
    ...pace,
  },
  [],
  { title: 'RetryRequest', examples: [{ filter: { status: 'failed' } }] },
)
export type RetryBody = Static<typeof RetryBody>

export const ReplayBody = OptionalBody(
  {
    hooks: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'Only to these hooks. Default: all of the caller.' }),
    ),
  },
  [{}],
)

const isExact = Type.Boolean({ description: 'false when there is more than was counted.' })

/** What a job would queue. */
export const RedeliveryCount = Type.Object({ count: Type.Integer(), is_exact: isExact }, { title: 'RedeliveryCount' })

/** The same of a recovery. */
export const RecoveryCount = Type.Object(
  {
    ...RedeliveryCount.properties,
    start_refused: Type.Optional(
      Nullable(
        Type.Object(
          { code: Type.String({ examples: ['hook_inactive'] }), message: Type.String() },
          { description: 'The error that `start` would be answered with now; null when it would be started.' },
        ),
      ),
    ),
  },
  { title: 'RecoveryCount' },
)
export type RecoveryCount = Static<typeof RecoveryCount>

export const RedeliveryRecord = Type.Object(
  {
    id: Id,
    kind: OneOf(['recover', 'retry']),
    status: OneOf(['running', 'done', 'cancelled'], {
      description:
        'running: also while it waits for a hook that is switched off. cancelled: also when its hook was removed.',
    }),
    hook: Nullable(Type.Integer({ description: 'Of recover.' })),
    asked: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What it was asked for: `since`, or `filter` and `force`.',
      examples: [{ since: '2026-11-21T09:30:00.000Z' }],
    }),
    total: Type.Integer({ description: 'Counted at its start.' }),
    total_is_exact: isExact,
    queued: Type.Integer({ description: 'Deliveries put in the queue so far.' }),
    per_second: Type.Integer(),
    requested_by: Nullable(
      Type.Integer({ description: 'Id of the user; null when the server started it, because an endpoint was back.' }),
    ),
    created_date: Timestamp,
    finished_date: Nullable(Timestamp),
  },
  { title: 'Redelivery' },
)
export type RedeliveryRecord = Static<typeof RedeliveryRecord>

export const ReplayResult = Type.Object(
  {
    queued: Type.Integer({ description: 'Hooks that get it again.' }),
    hooks: Type.Array(Id),
  },
  { title: 'ReplayResult' },
)
