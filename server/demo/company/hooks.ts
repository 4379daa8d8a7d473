import { hourMs } from '#platform/clock.ts'
import type { Made } from '../api.ts'
import { during, isAway, nowAndThen, ok, refuses, timesOut, type Behaviour } from '../history/outcomes.ts'
import { demoSecret } from '../receiver/verify.ts'
import { daysBefore } from '../time.ts'
import type { People } from './people.ts'

/** A hook of the demo: what it asks for, and how its receiver was all month. */
interface DemoHook {
  /** At the receiver of the demo, which answers by the first segment. */
  readonly path: string
  readonly by: 'operator' | 'murat'
  readonly event_type: string | readonly string[]
  readonly fields?: object
  readonly behaviour: Behaviour
  /** How it is now, where it is not well. */
  readonly state?: HookState
}

/** What its attempts do not tell of the health of a subscription. */
export interface HookState {
  readonly health: 'failing' | 'disabled'
  /** Where it has no attempt that failed. */
  readonly failingSince: Date
  readonly disabledAt?: Date
  readonly disabledReason?: 'failing' | 'gone'
  readonly probeAt?: Date
}

/** What happened in the month: the ERP was away for some hours, and one night nothing on this machine was reached. */
const incidents = (now: Date) =>
  ({
    erpDown: [daysBefore(now, 17, 10, 40), daysBefore(now, 17, 13, 20)],
    networkDown: [daysBefore(now, 5, 1, 50), daysBefore(now, 5, 6, 10)],
  }) as const

/** What hooks are made from: when it is, and whose packages one of them is about. */
interface HookWorld {
  readonly now: Date
  readonly filterLocation: number
}

/** Those whose receivers are well, or were away for some hours. */
const wellHooks = ({ now, filterLocation }: HookWorld): readonly DemoHook[] => {
  const { erpDown, networkDown } = incidents(now)
  const reached = (behaviour: Behaviour): Behaviour => during(behaviour, networkDown, isAway)
  return [
    {
      path: '/ok/erp',
      by: 'operator',
      event_type: ['package.*', 'shipment.*'],
      fields: { config: { format: 'standard' } },
      behaviour: reached(during(ok(35), erpDown, refuses(503, 'Database is in maintenance mode'))),
    },
    {
      path: '/sometimes/warehouse-screens',
      by: 'operator',
      event_type: 'package.status.*',
      fields: { retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 60 } } },
      behaviour: reached(nowAndThen(ok(70), 0.06, refuses(503, 'The system is busy. Try again later.'))),
    },
    {
      path: '/ok/izmir-floor',
      by: 'murat',
      event_type: ['package.status.transitioned', 'package.status.packed'],
      fields: { config: { filter: { stock_location: filterLocation } } },
      behaviour: reached(ok(25)),
    },
    {
      path: '/ok/transfer-planner',
      by: 'murat',
      event_type: 'transfer.status.*',
      fields: { config: { order: 'object' } },
      behaviour: ok(45),
    },
    {
      path: '/ok/crm',
      by: 'operator',
      event_type: 'crm.*',
      fields: { config: { auth: { auth_type: 'basic', username: 'waybill', password: 'crm-inbox' } } },
      behaviour: reached(nowAndThen(ok(60), 0.01, refuses(422, 'The lead is not known'))),
    },
    {
      path: '/ok/sales-desk',
      by: 'operator',
      event_type: 'quotation.*',
      fields: { config: { rate_limit: { per_second: 5 } } },
      behaviour: ok(55),
    },
  ]
}

/** Those that are in trouble now: one answers too late, one has been away for days, and one is gone. */
const troubledHooks = ({ now }: HookWorld): readonly DemoHook[] => {
  const reached = (behaviour: Behaviour): Behaviour => during(behaviour, incidents(now).networkDown, isAway)
  const before = (hours: number): Date => new Date(now.getTime() - hours * hourMs)
  const [slowSince, downSince, goneSince] = [before(27), before(8.5 * 24), before(12 * 24)]
  return [
    {
      path: '/slow/carrier-gateway',
      by: 'operator',
      event_type: 'shipment.created',
      fields: { config: { max_attempts: 8 }, additional_headers: { 'X-Account': 'LODOS-7' } },
      behaviour: reached(during(nowAndThen(ok(900), 0.04, timesOut), [slowSince, now], timesOut)),
      state: {
        health: 'failing',
        failingSince: slowSince,
      },
    },
    {
      path: '/down/bi-export',
      by: 'murat',
      event_type: 'package.status.shipped',
      behaviour: reached(during(ok(120), [downSince, now], refuses(503, 'Scheduled maintenance'))),
      state: {
        health: 'disabled',
        failingSince: downSince,
        disabledAt: before(3.5 * 24),
        disabledReason: 'failing',
        probeAt: before(-0.4),
      },
    },
    {
      path: '/gone/old-shop',
      by: 'murat',
      event_type: 'package.status.cancelled',
      behaviour: during(ok(80), [goneSince, now], refuses(410, 'This address is not used any more.')),
      state: {
        health: 'disabled',
        failingSince: goneSince,
        disabledAt: before(11.9 * 24),
        disabledReason: 'gone',
      },
    },
  ]
}

export interface MadeHook {
  readonly id: number
  readonly behaviour: Behaviour
  readonly state?: HookState
}

/** Makes the hooks of the demo. @param receiver the origin of the receiver of the demo. */
export const makeHooks = async (people: People, receiver: string, world: HookWorld): Promise<readonly MadeHook[]> => {
  const made: MadeHook[] = []
  for (const { path, by, event_type, fields, behaviour, state } of [...wellHooks(world), ...troubledHooks(world)]) {
    const body = { event_type, target_url: receiver + path, secret_key: demoSecret, ...fields }
    const { id } = await people[by]<Made>('POST /whisperer/hooks/', body)
    made.push({ id, behaviour, ...(state !== undefined && { state }) })
  }
  return made
}
