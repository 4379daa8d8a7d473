import { Type } from 'typebox'
import { OneOf, Timestamp } from '#platform/http/schemas.ts'

/** What can need somebody, in the order in which it is shown. */
export const needKinds = [
  'hooks_failing',
  'hooks_switched_off',
  'webhooks_failing',
  'webhooks_switched_off',
  'flows_failing',
  'flows_switched_off',
  'error_groups_open',
  'error_groups_regressed',
  'orders_failed',
  'orders_given_up',
  'quotations_pending',
  'quotations_draft',
  'quotations_expiring',
  'packages_to_pack',
  'packages_to_ship',
  'certificates_expiring',
] as const
export type NeedKind = (typeof needKinds)[number]

const Count = Type.Integer({ minimum: 0, description: 'Up to 10,000.' })
const IsMore = Type.Boolean({ description: 'Whether there are more than `count`.' })

const NeedView = Type.Object(
  {
    kind: OneOf(needKinds, {
      description:
        'failing: an endpoint fails. switched_off: the server has switched it off. regressed: groups that are open again after ' +
        'they had been resolved; they are among the open ones too. given_up: orders that are not tried again by themselves; ' +
        '`orders_failed` are those that are. expiring: quotations that expire within 48 hours; certificates and provisioning ' +
        'profiles that expire within 30 days, or did in the last 30, of the 200 newest projects.',
    }),
    count: Count,
    is_more: IsMore,
    path: Type.String({ description: 'Where they are in the console.', examples: ['/orders?status=failed'] }),
  },
  { title: 'Need', description: 'Things that wait for somebody to do something about them.' },
)

const HourView = Type.Object(
  {
    at: Type.String({ ...Timestamp, description: 'When the hour begins.' }),
    delivered: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
  },
  { title: 'HourOfDeliveries', description: 'What became, by now, of the deliveries that were made in an hour.' },
)

const ActivityView = Type.Object(
  {
    hours: Type.Array(HourView, {
      minItems: 24,
      maxItems: 24,
      description: 'The oldest first; the last one is the present hour.',
    }),
    is_exact: Type.Boolean({
      description: 'false where there are so many that the hours are estimated from a part of them.',
    }),
    pending: Type.Object({ count: Count, is_more: IsMore }, { description: 'Deliveries that are due now, or later.' }),
  },
  {
    title: 'DeliveryActivity',
    description: 'Deliveries of the last 24 hours: to all hooks for superusers, to their own for others.',
  },
)

const fact = (description: string) => Type.Boolean({ description })

export const Overview = Type.Object(
  {
    needs_you: Type.Array(NeedView, {
      description: 'Also those whose count is 0. What the caller may not see, or cannot decide, is absent.',
    }),
    deliveries_24h: Type.Optional(ActivityView),
    setup: Type.Object(
      {
        has_subscription: fact('Somebody listens to events.'),
        has_event: fact('Something has happened.'),
        has_delivered_event: fact('A receiver has taken an event.'),
        has_stock_location: fact('There is a place for stock.'),
        has_second_user: fact('Somebody besides the first superuser can log in, or could.'),
      },
      { title: 'Setup', description: 'How far the installation has been set up.' },
    ),
  },
  { title: 'Overview', description: 'What there is to know first.' },
)
