import { Type } from 'typebox'
import type { PreviewedDelivery } from '#delivery/redelivery/preview.ts'
import type { Redelivery } from '#delivery/redelivery/redelivery-store.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Body, CheckedElsewhere, Id, IdOf, Nullable, OneOf, OptionalBody, Timestamp } from '#platform/http/schemas.ts'
import { timeOrDatePattern } from '#platform/time-text.ts'
import { BooleanOrText } from '../hook-schemas.ts'
import { HookEventFilter } from '../log/hook-event-filter.ts'

const pace = {
  per_second: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Deliveries queued in a second. Default: 200.' }),
  ),
  start: Type.Optional(
    Type.Boolean({ description: 'Without it nothing is started, and the answer says how many it would be.' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'true: as without `start`, also beside it.' })),
}

export const RecoverBody = Body(
  {
    since: CheckedElsewhere(
      Type.String({
        maxLength: 40,
        description: 'Events since then. A time without a zone is UTC; a date is its first moment.',
        examples: ['2026-11-21T09:30:00Z'],
      }),
      { pattern: timeOrDatePattern },
    ),
    missing: Type.Optional(
      Type.Boolean({
        description:
          'true: only events that have no delivery to the hook at all, also those from before there was the hook, if it listens to them now.',
      }),
    ),
    ...pace,
  },
  [],
  {
    title: 'RecoveryRequest',
    description: 'Since when a hook gets again what it missed.',
    examples: [{ since: '2026-11-21T09:30:00Z' }],
  },
)

export const RetryBody = Body(
  {
    filter: HookEventFilter,
    force: Type.Optional(BooleanOrText('Also what was delivered.')),
    ...pace,
  },
  [],
  {
    title: 'RetryRequest',
    description: 'Which deliveries are sent again.',
    examples: [{ filter: { status: 'failed' } }],
  },
)

export const ReplayBody = OptionalBody(
  {
    hooks: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'Only to these hooks. Default: all of the caller.' }),
    ),
  },
  { examples: [{}] },
)

const isExact = Type.Boolean({ description: 'false when there is more than was counted.' })

const Previewed = Type.Object(
  {
    event: IdOf('Id of the event.'),
    event_type: Type.String(),
    object_type: Nullable(Type.String()),
    object_id: Nullable(Type.String()),
    occurred_at: Timestamp,
    hook: Id,
    hook_event: Nullable(Type.Integer({ description: 'Id of the delivery; null where there is none yet.' })),
  },
  { title: 'RedeliverySample', description: 'A delivery that would be sent.' },
)
export const toSample = makeToWire<PreviewedDelivery, typeof Previewed>(Previewed, {
  hook: 'subscriptionId',
  hook_event: 'deliveryId',
})

/** What a job would queue. */
export const RedeliveryCount = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    is_exact: isExact,
    sample: Type.Array(Previewed, { description: 'The first of them, at most 5.' }),
  },
  { title: 'RedeliveryCount', description: 'How many deliveries it would be.' },
)

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
      description: 'What it was asked for: `since` and `missing`, or `filter` and `force`.',
      examples: [{ since: '2026-11-21T09:30:00.000Z' }],
    }),
    total: Type.Integer({ minimum: 0, description: 'Counted at its start.' }),
    total_is_exact: isExact,
    queued: Type.Integer({ minimum: 0, description: 'Deliveries put in the queue so far.' }),
    per_second: Type.Integer({ minimum: 1, description: 'Deliveries queued in a second at most.' }),
    requested_by: Nullable(
      Type.Integer({ description: 'Id of the user; null when the server started it, because an endpoint was back.' }),
    ),
    created_date: Timestamp,
    finished_date: Nullable(Timestamp),
  },
  { title: 'Redelivery', description: 'A job that puts deliveries back in the queue.' },
)
export const toRecord = makeToWire<Redelivery, typeof RedeliveryRecord>(RedeliveryRecord, {
  hook: 'subscriptionId',
  asked: ({ filter }) => filter.asked,
  total_is_exact: ({ filter }) => filter.isExact,
})

export const ReplayResult = Type.Object(
  {
    queued: Type.Integer({ minimum: 0, description: 'Hooks that get it again.' }),
    hooks: Type.Array(Id),
  },
  { title: 'ReplayResult', description: 'Hooks that get the event again.' },
)
