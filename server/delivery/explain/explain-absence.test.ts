import { expect, test } from 'vitest'
import { explainAbsence, type Absence } from './explain-absence.ts'
import type { SubscriptionState, Verdict } from './explanation.ts'

const at = (time: string): Date => new Date(`2026-11-21T${time}Z`)

const subscription: SubscriptionState = {
  createdAt: at('08:00:00'),
  modifiedAt: at('08:00:00'),
  deletedAt: null,
  isActive: true,
  disabledReason: null,
  health: 'healthy',
  failures: 0,
  failingSince: null,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
  orderingSince: null,
  listeningSince: at('08:00:00'),
  ratePerSecond: null,
  rateBurst: null,
  rateFullAt: null,
}
const absence: Absence = {
  event: {
    type: 'package.created',
    scope: 'back-office',
    occurredAt: at('09:00:00'),
    sentTo: 'listeners',
    unmetConditions: null,
  },
  isOlderThanKept: false,
  scope: 'back-office',
  eventTypes: ['package.created'],
  subscription,
}

type Change = Omit<Partial<Absence>, 'subscription'> & { subscription?: Partial<SubscriptionState> }
const explain = ({ subscription: state, ...fields }: Change) =>
  explainAbsence({ ...absence, ...fields, subscription: { ...subscription, ...state } })

test.each<[string, Change, Verdict, readonly [summary: RegExp, advice: RegExp]]>([
  ['there is no such event', { event: undefined }, 'no_such_event', [/no event of this id/, /^$/]],
  [
    'it is older than what is kept',
    { event: undefined, isOlderThanKept: true },
    'too_old',
    [/older than the history that is kept, or never was/, /^$/],
  ],
  [
    'the subscription was removed before',
    { subscription: { deletedAt: at('08:30:00') }, eventTypes: [] },
    'subscription_removed',
    [/removed before it happened/, /^$/],
  ],
  [
    'the subscription was removed since',
    { subscription: { deletedAt: at('09:30:00') } },
    'subscription_removed',
    [/removed at 2026-11-21 09:30:00 UTC/, /^$/],
  ],
  [
    'it belongs elsewhere',
    { scope: 'project:7' },
    'other_scope',
    [/belongs to back-office, the subscription to project:7/, /belongs/],
  ],
  [
    'the subscription was made later',
    { subscription: { createdAt: at('09:10:00') } },
    'subscribed_later',
    [/created at 2026-11-21 09:10:00 UTC/, /replay that/],
  ],
  [
    'it is none of the events that are subscribed',
    { eventTypes: ['shipment.created', 'package.status.packed'] },
    'not_subscribed',
    [
      /does not listen to package.created, but to shipment.created, package.status.packed/,
      /Subscribe to package.created/,
    ],
  ],
  [
    'the filter leaves it out',
    {
      eventTypes: ['package.*'],
      event: {
        type: 'package.created',
        scope: 'back-office',
        occurredAt: at('09:00:00'),
        sentTo: 'listeners',
        unmetConditions: ['status', 'items.sku'],
      },
    },
    'filtered_out',
    [/leaves this package.created out. Conditions that do not hold: status, items.sku\.$/, /Change the filter/],
  ],
  [
    'it is none of the events that are subscribed, and the subscription was made later',
    { eventTypes: ['rat.*'], subscription: { createdAt: at('09:10:00') } },
    'not_subscribed',
    [/does not listen to package.created, but to rat/, /Subscribe to package.created/],
  ],
  ['nothing is subscribed', { eventTypes: [] }, 'not_subscribed', [/but to nothing/, /Subscribe/]],
  [
    'its owner had switched the subscription off',
    { subscription: { isActive: false, modifiedAt: at('08:50:00') } },
    'switched_off_then',
    [/switched off: somebody switched it off/, /Switch the subscription on, then recover/],
  ],
  [
    'the subscription was switched on later',
    { subscription: { listeningSince: at('09:20:00'), modifiedAt: at('09:20:00') } },
    'not_listening_then',
    [/another filter, until it was changed at 2026-11-21 09:20:00 UTC/, /ecover .* before the event/],
  ],
  [
    'the subscription was being switched on',
    { subscription: { listeningSince: at('08:59:30') } },
    'not_listening_then',
    [/until it was changed/, /ecover/],
  ],
  ['nothing explains it', {}, 'lost', [/fault of this server: please report it/, /by itself/]],
  [
    'nothing explains it, and the subscription was switched off since',
    { subscription: { isActive: false, modifiedAt: at('09:20:00') } },
    'lost',
    [/report it/, /by itself/],
  ],
])('there is no delivery when %s', (_, change, verdict, [summary, advice]) => {
  const explanation = explain(change)
  expect(explanation).toMatchObject({ verdict, next: null })
  expect(explanation.summary).toMatch(summary)
  expect(explanation.advice ?? '').toMatch(advice)
})
