import { hourMs } from '#platform/clock.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import type { Condition } from './conditions.ts'
import { quotationLifecycle } from './transitions.ts'
import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import type { Actor, QuotationAction, Surface } from './vocabulary.ts'

const clock = makeFakeClock()
// An order for each unit: not many units are too many orders.
const app = await makeTestApp({ clock, environment: { B2B_BULK_PROCESSES_BATCH_SIZE: '1' } })
const { call, database } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, branch, admin, mine, ask } = world

/** Everybody who can ask, and who they are to a quotation of the owner. */
const callers: readonly {
  readonly who: string
  readonly surface: Surface
  readonly actors: readonly Actor[]
  readonly call: typeof call
}[] = [
  { who: 'owner', surface: 'storefront', actors: ['owner'], call: owner.call },
  { who: 'main', surface: 'storefront', actors: ['main'], call: mainBuyer.call },
  { who: 'super', surface: 'admin', actors: ['super', 'staff'], call },
  { who: 'staff', surface: 'admin', actors: ['staff'], call: world.staff.call },
]
type OneCaller = (typeof callers)[number]

/** Ways to bring a new quotation, which waits for the main division, into a status. */
const reach: Readonly<Record<QuotationStatus, (id: number) => Promise<unknown>>> = {
  request_approval: async () => undefined,
  pending: (id) => mine(mainBuyer, id, 'approve-pending-request'),
  draft: async (id) => {
    await reach.pending(id)
    await admin(id, 'set-as-draft')
  },
  sending_approval_request: async (id) => {
    await reach.pending(id)
    await admin(id, 'send-approval-request')
  },
  approved: async (id) => {
    await reach.pending(id)
    await admin(id, 'approve')
  },
  rejected: (id) => mine(owner, id, 'reject'),
  cancelled: (id) => mine(owner, id, 'cancel'),
  expired: async (id) => {
    await reach.draft(id)
    const inAnHour = new Date(clock.now().getTime() + hourMs).toISOString()
    await world.must(call('PATCH', `/api/v1/quotations/${id}/`, { expires_at: inAnHour }))
    await admin(id, 'send-approval-request')
    clock.advance(hourMs)
  },
}
const quotationIn = async (status: QuotationStatus): Promise<WireQuotation> => {
  const { id } = await ask(owner, branch)
  await reach[status](id)
  const now = (await call('GET', `/api/v1/quotations/${id}/`)).json()
  expect(now.status).toBe(status)
  return now
}

const pathOf = (surface: Surface, id: number): string =>
  `/api/v1/${surface === 'admin' ? 'quotations' : 'my-quotations'}/${id}/`

/** How each action is asked for. */
const requests: Readonly<
  Partial<Record<QuotationAction, (q: WireQuotation) => readonly ['POST' | 'PATCH', string, object]>>
> = {
  edit: () => ['PATCH', '', { name: 'Another name' }],
  assign: () => ['PATCH', '', { assignee: 1 }],
  comment: () => ['POST', 'comments/', { text: 'Well' }],
  note: () => ['POST', 'comments/', { text: 'Well', internal: true }],
}
const perform = (caller: OneCaller, action: QuotationAction, quotation: WireQuotation) => {
  const [method, rest, body] = requests[action]?.(quotation) ?? ['POST', `${action}/`, {}]
  return caller.call(method, pathOf(caller.surface, quotation.id) + rest, body)
}

/** Routes there are: an action of a surface that nobody on it may do has none. */
const actions = quotationLifecycle.actions.filter((action) => action !== 'expire')
const hasRoute = (action: QuotationAction, surface: Surface): boolean =>
  quotationLifecycle.rules.some((rule) => rule.action === action && rule.surface === surface)
const attempts = callers.flatMap((caller) =>
  actions.filter((action) => hasRoute(action, caller.surface)).map((action) => ({ caller, action })),
)

/** What has expired needs a new time; otherwise nothing but the status refuses. */
const situationOf = (status: QuotationStatus, facts: [Condition, readonly string[]][] = []) => {
  const expired: typeof facts = status === 'expired' ? [['needs_new_expiry', []]] : []
  return { status, refusing: new Map([...expired, ...facts]) }
}

const statusEvents = async (id: number): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('events')
    .select('type')
    .where('objectType', '=', 'quotation')
    .where('objectId', '=', String(id))
    .where('type', 'like', 'quotation.status.%')
    .orderBy('sequence')
    .execute()
  return rows.map(({ type }) => type)
}

describe.each(quotationStatuses)('a quotation that is %s', (status) => {
  // What is refused changes nothing, so the next one can be asked of the same quotation.
  let kept: WireQuotation
  const take = async (): Promise<WireQuotation> => (kept ??= await quotationIn(status))

  test.each(attempts)('$action by $caller.who', async ({ caller, action }) => {
    const before = await take()
    const raised = await statusEvents(before.id)
    const situation = situationOf(status)
    const decision = quotationLifecycle.decide(action, situation, caller)

    const answer = await perform(caller, action, before)
    const after = (await call('GET', `/api/v1/quotations/${before.id}/`)).json()
    const newEvents = (await statusEvents(before.id)).slice(raised.length)
    const seen = { status: answer.statusCode, after: after.status, newEvents }

    const refused = 'refused' in decision ? decision.refused : undefined
    if (refused === undefined) kept = undefined
    const to = 'to' in decision ? decision.to : status
    // To send what was sent is a reminder, which raises the event again.
    const isRaised = refused === undefined && (to !== status || action === 'send-approval-request')
    expect({ ...seen, status: Math.floor(seen.status / 100) }).toEqual({
      status: refused === undefined ? 2 : 4,
      after: to,
      newEvents: isRaised ? [`quotation.status.${to}`] : [],
    })
    const words =
      refused === undefined || refused === 'forbidden'
        ? ''
        : quotationLifecycle.reasonOf(refused, action, situation, caller)
    const allowed = quotationLifecycle.allowedActions(situation, caller)
    const bodies: Record<string, unknown> = {
      403: { detail: 'You do not have permission to perform this action.' },
      400: { non_field_errors: [words], code: refused, allowed_actions: allowed },
    }
    const expectedStatus = refused === 'forbidden' ? 403 : 400
    expect(refused === undefined ? undefined : [answer.statusCode, answer.json()]).toEqual(
      refused === undefined ? undefined : [expectedStatus, bodies[expectedStatus]],
    )
  })

  test.each(callers)('tells what $who may do, and why not the rest', async (caller) => {
    const { id } = await take()
    const { allowed_actions: allowed, blocked_actions: blocked } = (
      await caller.call('GET', pathOf(caller.surface, id))
    ).json()
    expect({ allowed, blocked }).toEqual({
      allowed: quotationLifecycle.allowedActions(situationOf(status), caller),
      blocked: quotationLifecycle.blockedActions(situationOf(status), caller),
    })
  })

  test('is nothing that others know of', async () => {
    const { id } = await take()
    const stranger = await world.buyer(await world.division())
    const sibling = await world.buyer(branch)
    for (const { call: asks } of [stranger, sibling]) {
      expect((await asks('GET', pathOf('storefront', id))).statusCode).toBe(404)
      expect((await asks('POST', `${pathOf('storefront', id)}cancel/`)).statusCode).toBe(404)
    }
  })
})

/** Conditions besides the status: how a quotation comes to meet each, and what is said of it then. */
const met: readonly {
  readonly what: string
  readonly condition: Condition
  readonly details: readonly string[]
  readonly arrange: (id: number) => Promise<unknown>
}[] = [
  {
    what: 'it would become too many orders',
    condition: 'too_many_orders',
    details: ['10001 of at most 1 units, and 10000 can be made'],
    arrange: (id) => {
      const divisions = JSON.stringify([{ id: branch, quantity: 10_001 }])
      return sql`update quotation_items set quantity = 10001, divisions = ${divisions} where quotation_id = ${id}`.execute(
        database.db,
      )
    },
  },
  {
    what: 'its owner has to agree to it',
    condition: 'owner_consent_required',
    details: [],
    arrange: async (id) => {
      await world.must(call('PATCH', '/api/v1/settings/', { QUOTATION_OWNER_CONSENT_REQUIRED: true }))
      await sql`update quotations set consented_revision = null where id = ${id}`.execute(database.db)
    },
  },
  {
    what: 'nothing is in it',
    condition: 'quotation_empty',
    details: [],
    arrange: (id) => sql`delete from quotation_items where quotation_id = ${id}`.execute(database.db),
  },
]

/** Those in which somebody is refused something because of a condition; in the others it changes nothing. */
const statusesWith = (condition: Condition, details: readonly string[]): QuotationStatus[] =>
  quotationStatuses.filter((status) => {
    const situation = situationOf(status, [[condition, details]])
    return attempts.some(({ caller, action }) => {
      const decision = quotationLifecycle.decide(action, situation, caller)
      return 'refused' in decision && decision.refused === condition
    })
  })

describe.each(met)('where $what', ({ condition, details, arrange }) => {
  const statuses = statusesWith(condition, details)
  test.each(statuses)('everybody is told what they may do, and refused the rest: %s', async (status) => {
    const quotation = await quotationIn(status)
    await arrange(quotation.id)
    for (const caller of callers) {
      const situation = situationOf(status, [[condition, details]])
      const allowed = quotationLifecycle.allowedActions(situation, caller)
      const blocked = quotationLifecycle.blockedActions(situation, caller)
      const detail = (await caller.call('GET', pathOf(caller.surface, quotation.id))).json()
      expect([caller.who, detail.allowed_actions, detail.blocked_actions]).toEqual([caller.who, allowed, blocked])
      for (const { action } of attempts.filter((one) => one.caller === caller)) {
        const decision = quotationLifecycle.decide(action, situation, caller)
        if (!('refused' in decision) || decision.refused === 'forbidden') continue
        const answer = await perform(caller, action, quotation)
        const body = {
          non_field_errors: [quotationLifecycle.reasonOf(decision.refused, action, situation, caller)],
          code: decision.refused,
          allowed_actions: allowed,
        }
        expect([caller.who, action, answer.statusCode, answer.json()]).toEqual([caller.who, action, 400, body])
      }
    }
    await world.must(call('PATCH', '/api/v1/settings/', { QUOTATION_OWNER_CONSENT_REQUIRED: false }))
  })
})
