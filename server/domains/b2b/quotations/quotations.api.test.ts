import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const app = await makeTestApp({ clock, environment: { B2B_BULK_PROCESSES_BATCH_SIZE: '500' } })
const { call, database } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, chair, admin, mine, ask, must } = world

const read = async (id: number) => must(call('GET', `/api/v1/quotations/${id}/`))
const patch = (id: number, body: object, headers = {}) => call('PATCH', `/api/v1/quotations/${id}/`, body, headers)
const post = (id: number, rest: string, body: object, headers = {}) =>
  call('POST', `/api/v1/quotations/${id}/${rest}/`, body, headers)
const setting = (settings: object) => must(call('PATCH', '/api/v1/settings/', settings))
const eventsOf = async (id: number) =>
  database.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('objectType', '=', 'quotation')
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
const typesOf = async (id: number) => (await eventsOf(id)).map(({ type }) => type)
const draft = async () => {
  const { id } = await ask(mainBuyer, main)
  return admin(id, 'set-as-draft')
}

describe('a quotation is made of the basket', () => {
  test('with its prices, its number and its terms frozen, and the basket empty', async () => {
    const { id, number } = await ask(mainBuyer, branch, { [chair]: 3 })
    await mainBuyer.call('POST', '/api/v1/basket/', { product_remote_id: chair, division: main, quantity: 2 })
    const second = await ask(mainBuyer, branch, { [chair]: 5 }, 'Two divisions')
    expect(Number(second.number.split('-')[2])).toBe(Number(number.split('-')[2]) + 1)
    expect(second).toEqual({
      id: id + 1,
      number: expect.stringMatching(/^Q-2026-\d{6}$/),
      name: 'Two divisions',
      status: 'pending',
      currency: 'EUR',
      total_amount: '700.00',
      net_amount: '700.00',
      revision: 1,
      version: 1,
      created_at: '2026-11-21T09:30:00.000Z',
      modified_at: '2026-11-21T09:30:00.000Z',
      expires_at: '2026-12-21T09:30:00.000Z',
      ...Object.fromEntries(['sent_at', 'next_reminder_at', 'reason', 'assignee', 'seen'].map((name) => [name, null])),
      user: {
        id: mainBuyer.id,
        first_name: '',
        last_name: '',
        email: expect.stringContaining('@'),
        division: { id: main, name: expect.any(String), phone_number: '', erp_code: expect.any(String) },
      },
      items: [
        expect.objectContaining({
          id: expect.any(Number),
          product_remote_id: Number(chair),
          sku: chair,
          quantity: 7,
          list_price: '100.00',
          price: '100.00',
          total_amount: '700.00',
          net_amount: '700.00',
          divisions: [
            { id: main, quantity: 2 },
            { id: branch, quantity: 5 },
          ],
        }),
      ],
      discounts: [],
      orders: [],
      comments_count: 0,
      batch_size: 500,
      allowed_actions: ['cancel', 'reject', 'comment', 'duplicate'],
      blocked_actions: expect.objectContaining({ approve: expect.stringContaining('not been sent') }),
    })
    expect(await typesOf(second.id)).toEqual(['quotation.created', 'quotation.status.pending'])
    expect((await mainBuyer.call('GET', '/api/v1/basket/')).json().basket_items).toEqual([])
    const revision = await must(call('GET', `/api/v1/quotations/${second.id}/revisions/1/`))
    expect(revision).toMatchObject({ revision: 1, created_by: mainBuyer.id, terms: { items: [{ sku: chair }] } })
  })

  test('in the status that its division and the setting say', async () => {
    expect((await ask(owner, branch)).status).toBe('request_approval')
    const isTold = async (buyer: typeof owner) => (await must(buyer.call('GET', '/api/v1/basket/'))).needs_approval
    expect([await isTold(owner), await isTold(mainBuyer)]).toEqual([true, false])
    await setting({ IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: false, QUOTATION_VALID_DAYS: 0 })
    expect(await isTold(owner)).toBe(false)
    expect(await ask(owner, branch)).toMatchObject({ status: 'pending', expires_at: null })
    await setting({ IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: true, QUOTATION_VALID_DAYS: 30 })
  })

  test('a quotation that is refused leaves the basket as it was', async () => {
    const make = () => owner.call('POST', '/api/v1/my-quotations/', { name: 'A' })
    expect((await make()).json()).toMatchObject({ code: 'basket_empty' })

    const lamp = await world.product()
    const put = { product_remote_id: lamp, division: branch, quantity: 1 }
    await must(owner.call('POST', '/api/v1/basket/', put))
    await setting({ QUOTATION_MINIMUM_AMOUNT: '12.51' })
    expect((await make()).json()).toMatchObject({
      code: 'under_minimum',
      non_field_errors: [expect.stringContaining('12.50')],
    })
    await setting({ QUOTATION_MINIMUM_AMOUNT: '12.50' })
    const { results } = await must(call('GET', `/api/v1/products/?remote_id=${lamp}`))
    const product = `/api/v1/products/${results[0].id}/`
    await must(call('PATCH', product, { is_active: false }))
    expect((await make()).json()).toMatchObject({ code: 'product_inactive' })
    await must(call('PATCH', product, { is_active: true }))
    await must(call('PATCH', `/api/v1/divisions/${branch}/`, { is_active: false }))
    expect((await make()).json()).toMatchObject({ code: 'division_inactive' })
    await must(call('PATCH', `/api/v1/divisions/${branch}/`, { is_active: true }))
    await must(owner.call('POST', '/api/v1/basket/', { ...put, product_remote_id: chair }))
    await must(call('PATCH', product, { currency: 'USD' }))
    expect((await make()).json()).toMatchObject({ code: 'mixed_currencies' })
    await must(call('PATCH', product, { currency: 'EUR' }))
    await setting({ QUOTATION_MINIMUM_AMOUNT: '0' })

    const made = await make()
    expect([made.statusCode, made.json().items.length]).toEqual([201, 2])
  })

  test.each([[''], ['  '], ['x'.repeat(256)]])('never with the name %j', async (name) => {
    const answer = await owner.call('POST', '/api/v1/my-quotations/', { name })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['name']])
  })

  test('by nobody who belongs to no division', async () => {
    const nobody = await world.buyer(null)
    expect((await nobody.call('POST', '/api/v1/my-quotations/', { name: '' })).statusCode).toBe(403)
    expect((await nobody.call('GET', '/api/v1/my-quotations/')).json().results).toEqual([])
  })

  test('once for one Idempotency-Key', async () => {
    await must(owner.call('POST', '/api/v1/basket/', { product_remote_id: chair, division: branch, quantity: 1 }))
    const make = () => owner.call('POST', '/b2b/my-quotations/', { name: 'Once' }, { 'idempotency-key': 'once-1' })
    const [first, again] = [await make(), await make()]
    expect([first.statusCode, again.statusCode, again.json()]).toEqual([201, 201, first.json()])
  })
})

describe('an offer is sent', () => {
  test('which freezes its terms, and is approved by its revision', async () => {
    const { id } = await ask(mainBuyer, main)
    expect((await admin(id, 'send-approval-request')).revision).toBe(2)
    const { items } = await admin(id, 'set-as-draft')
    await must(patch(id, { items: [{ id: items[0].id, price: '90' }] }))
    const sent = await admin(id, 'send-approval-request')
    expect([sent.revision, sent.status]).toEqual([3, 'sending_approval_request'])

    const approve = (body: object) => mainBuyer.call('POST', `/api/v1/my-quotations/${id}/approve/`, body)
    const stale = await approve({ revision: 2 })
    expect([stale.statusCode, stale.json()]).toEqual([
      400,
      {
        non_field_errors: [expect.any(String)],
        code: 'stale_revision',
        allowed_actions: ['cancel', 'reject', 'approve', 'comment', 'duplicate'],
      },
    ])
    const approved = await approve({ revision: 3 })
    expect(approved.json()).toMatchObject({
      status: 'approved',
      net_amount: '270.00',
      orders: [{ quantity: 3, amount: '270.00', error: null }],
    })
    expect(await approve({})).toMatchObject({ statusCode: 200 })
    expect((await read(id)).orders).toHaveLength(1)

    const difference = await must(mainBuyer.call('GET', `/api/v1/my-quotations/${id}/revisions/1/diff/3/`))
    expect(difference).toMatchObject({
      total_amount: { before: '300.00', after: '270.00' },
      items: [{ before: { price: '100.00' }, after: { price: '90.00' } }],
      discounts: [],
    })
    expect(await must(call('GET', `/api/v1/quotations/${id}/revisions/1/diff/3/`))).toEqual(difference)
    expect((await must(call('GET', `/api/v1/quotations/${id}/revisions/`))).count).toBe(3)
    expect((await must(mainBuyer.call('GET', `/api/v1/my-quotations/${id}/revisions/`))).count).toBe(3)
    expect((await call('GET', `/api/v1/quotations/${id}/revisions/4/`)).statusCode).toBe(404)
  })

  test('anew with every send, so that a yes to an offer that was withdrawn counts for no other', async () => {
    const { id } = await ask(mainBuyer, main)
    const withdrawn = await admin(id, 'send-approval-request')
    await admin(id, 'set-as-draft')
    const sent = await admin(id, 'send-approval-request')
    expect(sent.revision).toBe(withdrawn.revision + 1)
    clock.advance(3_600_000)
    expect((await admin(id, 'send-approval-request')).revision).toBe(sent.revision)
    const approve = (revision: number) => mainBuyer.call('POST', `/api/v1/my-quotations/${id}/approve/`, { revision })
    expect((await approve(withdrawn.revision)).json()).toMatchObject({ code: 'stale_revision' })
    expect((await approve(sent.revision)).json()).toMatchObject({ status: 'approved', revision: sent.revision })
  })

  test('an owner is reminded at most once an hour, and whoever comes too early is told when', async () => {
    const { id } = await ask(mainBuyer, main)
    const nextReminder = async () => (await must(call('GET', `/api/v1/quotations/${id}/`))).next_reminder_at
    expect((await admin(id, 'send-approval-request')).next_reminder_at).toBeNull()
    const before = await typesOf(id)
    // The sending itself does not count.
    const next = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const { version } = await admin(id, 'send-approval-request')
    expect([await typesOf(id), version]).toEqual([[...before, 'quotation.status.sending_approval_request'], 2])
    clock.advance(3_599_001)
    const early = await post(id, 'send-approval-request', {})
    expect([early.statusCode, early.headers['retry-after'], early.json()]).toEqual([
      429,
      '1',
      { detail: expect.stringContaining(next) },
    ])
    expect([await nextReminder(), (await typesOf(id)).length]).toEqual([next, before.length + 1])
    clock.advance(999)
    expect(await nextReminder()).toBeNull()
    await admin(id, 'send-approval-request')
    // Another offer is another matter.
    await admin(id, 'set-as-draft')
    expect(await nextReminder()).toBeNull()
    await admin(id, 'send-approval-request')
    await admin(id, 'send-approval-request')
  })

  test('never when there is nothing in it', async () => {
    const { id, items } = await draft()
    await must(call('DELETE', `/api/v1/quotations/${id}/products/${items[0].id}/`))
    for (const action of ['send-approval-request', 'approve']) {
      expect((await post(id, action, {})).json()).toMatchObject({ code: 'quotation_empty' })
    }
  })
})

describe('where the owner has to agree', () => {
  test('worse terms are not approved over its head, better ones are', async () => {
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
    const { id, items } = await draft()
    const price = (text: string) => must(patch(id, { items: [{ id: items[0].id, price: text }] }))
    await price('100.01')
    expect((await post(id, 'approve', {})).json()).toMatchObject({ code: 'owner_consent_required' })
    await price('50')
    await must(patch(id, { items: [{ id: items[0].id, quantity: 4 }] }))
    expect((await post(id, 'approve', {})).json()).toMatchObject({ code: 'owner_consent_required' })
    await must(patch(id, { items: [{ id: items[0].id, quantity: 3 }] }))
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved', revision: 2 })
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: false })
  })

  test('what it asked for is still agreed on when it was sent to it unchanged, and withdrawn', async () => {
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
    const { id } = await ask(mainBuyer, main)
    await admin(id, 'send-approval-request')
    await admin(id, 'set-as-draft')
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved', revision: 2 })
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: false })
  })
})

test('an owner who said no has agreed to nothing any more', async () => {
  await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
  const { id } = await ask(mainBuyer, main)
  await mine(mainBuyer, id, 'reject')
  await admin(id, 'set-as-draft')
  expect((await post(id, 'approve', {})).json()).toMatchObject({ code: 'owner_consent_required' })
  await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: false })
})

test('terms that were changed in the draft since are not those of the revision that is approved', async () => {
  const { id, items } = await draft()
  await must(patch(id, { items: [{ id: items[0].id, price: '99' }] }))
  expect((await post(id, 'approve', { revision: 1 })).json()).toMatchObject({ code: 'stale_revision' })
  expect((await read(id)).revision).toBe(1)
  expect(await must(post(id, 'approve', { revision: 2 }))).toMatchObject({ status: 'approved', revision: 2 })
})

test('a line has no more pieces for a division than a basket takes', async () => {
  const { id, items } = await draft()
  const refused = await patch(id, { items: [{ id: items[0].id, quantity: 1_000_001 }] })
  expect([refused.statusCode, Object.keys(refused.json())]).toEqual([400, ['items.0.quantity']])
  await must(patch(id, { items: [{ id: items[0].id, quantity: 1_000_000 }] }))
})

describe('time', () => {
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString()

  test('expires what is read, listed or acted on', async () => {
    const expiring = async () => {
      const { id } = await draft()
      await must(patch(id, { expires_at: inDays(1) }))
      await admin(id, 'send-approval-request')
      return id
    }
    const ids = [await expiring(), await expiring(), await expiring()] as const
    clock.advance(86_400_000 - 1)
    expect((await read(ids[0])).status).toBe('sending_approval_request')
    clock.advance(1)
    expect((await read(ids[0])).status).toBe('expired')
    const refused = await mainBuyer.call('POST', `/api/v1/my-quotations/${ids[1]}/approve/`)
    expect(refused.json()).toMatchObject({ code: 'expired' })
    const listed = await must(call('GET', '/api/v1/quotations/?status=expired&limit=1000'))
    const found = listed.results.map(({ id }: { id: number }) => id)
    expect([ids.every((id) => found.includes(id)), listed.count]).toEqual([true, found.length])
    for (const id of ids) expect((await typesOf(id)).at(-1)).toBe('quotation.status.expired')
    const audit = await must(call('GET', `/api/v1/quotations/${ids[2]}/audit/?limit=100`))
    expect(audit.results.at(-1)).toMatchObject({
      actor: 'time',
      user: null,
      action: 'expire',
      after: { status: 'expired' },
    })

    const needsTime = async (id: number, action: string) => {
      const { allowed_actions: allowed, blocked_actions: blocked } = await read(id)
      expect([allowed.includes(action), blocked[action]]).toEqual([false, expect.stringContaining('expires_at')])
      expect((await post(id, action, {})).json()).toEqual({
        non_field_errors: [blocked[action]],
        code: 'needs_new_expiry',
        allowed_actions: allowed,
      })
    }
    await needsTime(ids[0], 'set-as-draft')
    expect(await admin(ids[0], 'set-as-draft', { expires_at: inDays(2) })).toMatchObject({ status: 'draft' })
    clock.advance(3 * 86_400_000)
    await needsTime(ids[0], 'send-approval-request')
    await must(patch(ids[0], { expires_at: inDays(1) }))
    expect((await read(ids[0])).allowed_actions).toContain('send-approval-request')
    await admin(ids[0], 'send-approval-request')
  })

  test('is only prolonged outside of drafts', async () => {
    const { id, expires_at: expiresAt } = await ask(mainBuyer, main)
    const earlier = new Date(Date.parse(expiresAt) - 1).toISOString()
    expect((await patch(id, { expires_at: earlier })).json()).toHaveProperty('expires_at')
    expect((await world.staff.call('PATCH', `/api/v1/quotations/${id}/`, { expires_at: inDays(60) })).statusCode).toBe(
      200,
    )
    expect(await must(patch(id, { expires_at: null }))).toMatchObject({ expires_at: null })
    expect((await patch(id, { expires_at: inDays(90) })).statusCode).toBe(400)
  })
})

describe('comments', () => {
  test('are seen by both sides, internal ones only by the back office', async () => {
    const { id } = await ask(owner, branch)
    await must(owner.call('POST', `/api/v1/my-quotations/${id}/comments/`, { text: 'Please hurry' }))
    await must(
      world.staff.call('POST', `/api/v1/quotations/${id}/comments/`, { text: 'Margin is thin', internal: true }),
    )
    const textsOf = ({ results }: { results: readonly { text: string }[] }) => results.map(({ text }) => text)
    const theirs = await must(owner.call('GET', `/api/v1/my-quotations/${id}/comments/`))
    const ours = await must(call('GET', `/api/v1/quotations/${id}/comments/`))
    expect([textsOf(theirs), textsOf(ours)]).toEqual([['Please hurry'], ['Please hurry', 'Margin is thin']])
    expect((await must(owner.call('GET', `/api/v1/my-quotations/${id}/`))).comments_count).toBe(1)
    expect((await read(id)).comments_count).toBe(2)
    const internal = { text: 'x', internal: true }
    expect((await owner.call('POST', `/api/v1/my-quotations/${id}/comments/`, internal)).statusCode).toBe(400)
    expect((await eventsOf(id)).slice(2).map(({ body }) => JSON.parse(body).data.internal)).toEqual([false, true])
  })
})

describe('what is rejected', () => {
  test('by the main division is not taken up again, by the owner or the seller it is', async () => {
    const rejected = async (reject: (id: number) => Promise<unknown>) => {
      const { id } = await ask(owner, branch)
      await mine(mainBuyer, id, 'approve-pending-request')
      await reject(id)
      return post(id, 'set-as-draft', {})
    }
    expect((await rejected((id) => mine(mainBuyer, id, 'reject'))).json()).toMatchObject({
      code: 'rejected_by_main_division',
    })
    expect((await rejected((id) => mine(owner, id, 'reject'))).statusCode).toBe(200)
    expect((await rejected((id) => admin(id, 'reject'))).statusCode).toBe(200)
  })

  test('can be begun again: by its owner in the basket, by the seller as a draft', async () => {
    const { id, items, number } = await draft()
    await must(post(id, 'discounts', { discount_type: 'percentage', value: '10', item: items[0].id }))
    await admin(id, 'reject')
    const basket = await mine(mainBuyer, id, 'duplicate')
    expect(basket.basket_items).toMatchObject([{ quantity: 3, divisions: [{ id: main, quantity: 3 }] }])
    const copy = await admin(id, 'duplicate')
    expect(copy).toMatchObject({
      status: 'draft',
      net_amount: '270.00',
      discounts: [{ item: copy.items[0].id }],
      user: { id: mainBuyer.id },
    })
    expect(copy.number).not.toBe(number)
    await must(mainBuyer.call('DELETE', '/api/v1/basket/', { product_remote_id: chair }))
  })
})

test('every change is written down: who, as what, where, before and after', async () => {
  const { id, items } = await draft()
  const edited = await patch(id, { items: [{ id: items[0].id, price: '1' }] })
  const { results } = await must(call('GET', `/api/v1/quotations/${id}/audit/`))
  expect(results).toMatchObject([
    { action: 'create', actor: 'owner', surface: 'storefront', user: mainBuyer.id, before: null },
    {
      action: 'set-as-draft',
      actor: 'super',
      surface: 'admin',
      before: { status: 'pending' },
      after: { status: 'draft' },
    },
    {
      action: 'edit',
      request_id: edited.headers['x-request-id'],
      before: { total_amount: '300.00', [`item ${items[0].id}`]: { price: '100.00' } },
      after: { total_amount: '3.00', [`item ${items[0].id}`]: { price: '1.00' } },
    },
  ])
  expect((await owner.call('GET', `/api/v1/quotations/${id}/audit/`)).statusCode).toBe(403)
})

test('the kept counts are those that there are', async () => {
  const kept = await database.db
    .selectFrom('quotationCounts')
    .select(['status', 'userId', 'divisionId', 'count'])
    .where('count', '>', 0)
    .execute()
  const counted = await database.db
    .selectFrom('quotations')
    .select((eb) => ['status', 'userId', 'divisionId', eb.fn.countAll<number>().as('count')] as const)
    .groupBy(['status', 'userId', 'divisionId'])
    .execute()
  const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  expect([counted.length > 5, texts(kept)]).toEqual([true, texts(counted)])
})
