import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// An order for each unit: what is 10,001 units would be more orders than can be made.
const app = await makeTestApp({ environment: { B2B_BULK_PROCESSES_BATCH_SIZE: '1' } })
const { call, database } = app
const world = await makeQuotationWorld(app)
const { main, mainBuyer: owner, chair, admin, ask, must } = world

const setting = (change: object) => must(call('PATCH', '/api/v1/settings/', change))
afterEach(() => setting({ QUOTATION_OWNER_CONSENT_REQUIRED: false, CREATE_ORDERS_ON_APPROVAL: true }))
const seller = { call, path: '/api/v1/quotations' }
const buyer = { call: owner.call, path: '/api/v1/my-quotations' }

/** Asks for what is refused, and compares the answer with what the detail says of it. */
const refusalOf = async ({ call: asks, path }: typeof seller, id: number, action: string) => {
  const before = await must(asks('GET', `${path}/${id}/`))
  const answer = await asks('POST', `${path}/${id}/${action}/`, {})
  const { code, ...rest } = answer.json()
  expect([action, answer.statusCode, rest]).toEqual([
    action,
    400,
    { non_field_errors: [before.blocked_actions[action]], allowed_actions: before.allowed_actions },
  ])
  expect(before.allowed_actions).not.toContain(action)
  expect(await must(asks('GET', `${path}/${id}/`))).toEqual(before)
  return { code, reason: before.blocked_actions[action] }
}
const allowedTo = async ({ call: asks, path }: typeof seller, id: number): Promise<string[]> =>
  (await must(asks('GET', `${path}/${id}/`))).allowed_actions

const draftOf = async (pieces = 3): Promise<WireQuotation> => {
  const { id } = await ask(owner, main, { [chair]: pieces })
  return admin(id, 'set-as-draft')
}
const change = (id: number, itemId: number, fields: object) =>
  must(call('PATCH', `/api/v1/quotations/${id}/`, { items: [{ id: itemId, ...fields }] }))

test('a draft that is empty is neither sent nor approved until there is something in it', async () => {
  const { id, items } = await draftOf()
  await must(call('DELETE', `/api/v1/quotations/${id}/products/${items[0].id}/`))
  for (const action of ['send-approval-request', 'approve'])
    expect(await refusalOf(seller, id, action)).toMatchObject({ code: 'quotation_empty' })
  await admin(id, 'products', { product_remote_id: chair, divisions: [{ id: main, quantity: 1 }] })
  expect(await allowedTo(seller, id)).toEqual(expect.arrayContaining(['send-approval-request', 'approve']))
  expect(await admin(id, 'approve')).toMatchObject({ status: 'approved' })
})

describe('terms that its owner has not agreed to', () => {
  test.each([
    ['a higher price', { price: '100.01' }],
    ['fewer pieces', { quantity: 2 }],
  ])('are not approved over its head: %s', async (_, fields) => {
    const { id, items } = await draftOf()
    await change(id, items[0].id, fields)
    expect(await allowedTo(seller, id)).toContain('approve')
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
    const expected = { code: 'owner_consent_required', reason: expect.stringContaining('send them for approval') }
    expect(await refusalOf(seller, id, 'approve')).toEqual(expected)
    await admin(id, 'send-approval-request')
    expect(await refusalOf(seller, id, 'approve')).toEqual(expected)
    expect(await allowedTo(buyer, id)).toContain('approve')
    expect(await world.mine(owner, id, 'approve')).toMatchObject({ status: 'approved' })
    // Once agreed on it is approved as often as somebody likes.
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved' })
  })

  test('are none that are as they were asked for, or better', async () => {
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
    const { id: untouched } = await ask(owner, main)
    expect(await allowedTo(seller, untouched)).toContain('approve')
    expect(await admin(untouched, 'approve')).toMatchObject({ status: 'approved' })
    const { id, items } = await draftOf()
    await change(id, items[0].id, { price: '99.99' })
    expect(await allowedTo(seller, id)).toContain('approve')
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved' })
  })

  test('are those of somebody who said no', async () => {
    await setting({ QUOTATION_OWNER_CONSENT_REQUIRED: true })
    const { id } = await ask(owner, main)
    await world.mine(owner, id, 'reject')
    await admin(id, 'set-as-draft')
    expect(await refusalOf(seller, id, 'approve')).toMatchObject({ code: 'owner_consent_required' })
  })
})

describe('more orders than can be made', () => {
  const expected = { code: 'too_many_orders', reason: expect.stringContaining('10001') }
  /** As it was sent when the orders could be larger. */
  const sentBefore = async (id: number) => {
    await admin(id, 'set-as-draft')
    const { items } = await must(call('GET', `/api/v1/quotations/${id}/`))
    await change(id, items[0].id, { quantity: 1 })
    await admin(id, 'send-approval-request')
    await resize(id)
  }
  const resize = (id: number) =>
    sql`update quotation_items set quantity = 10001, divisions = ${JSON.stringify([{ id: main, quantity: 10_001 }])}
      where quotation_id = ${id}`.execute(database.db)

  test.each([true, false])('are neither offered nor approved (made at once: %s)', async (atOnce) => {
    await setting({ CREATE_ORDERS_ON_APPROVAL: atOnce })
    const { id } = await ask(owner, main, { [chair]: 10_001 })
    for (const status of ['pending', 'draft', 'sending_approval_request']) {
      if (status === 'draft') await admin(id, 'set-as-draft')
      if (status === 'sending_approval_request') await sentBefore(id)
      expect((await must(call('GET', `/api/v1/quotations/${id}/`))).status).toBe(status)
      for (const action of ['send-approval-request', 'approve'])
        expect([status, await refusalOf(seller, id, action)]).toEqual([status, expected])
    }
    expect(await refusalOf(buyer, id, 'approve')).toEqual(expected)
    const preview = await call('GET', `/api/v1/quotations/${id}/order-preview/`)
    expect([preview.statusCode, preview.json()]).toMatchObject([
      400,
      { code: 'too_many_orders', allowed_actions: await allowedTo(seller, id) },
    ])
  })

  test('are not made of what was approved either', async () => {
    await setting({ CREATE_ORDERS_ON_APPROVAL: false })
    const { id } = await ask(owner, main)
    await admin(id, 'approve')
    await resize(id)
    for (const action of ['create-orders', 'approve'])
      expect([action, await refusalOf(seller, id, action)]).toEqual([action, expected])
  })

  test('are more than 10,000, with the size that was kept when it was approved', async () => {
    await setting({ CREATE_ORDERS_ON_APPROVAL: false })
    const { id } = await ask(owner, main, { [chair]: 10_000 })
    expect(await allowedTo(seller, id)).toEqual(expect.arrayContaining(['send-approval-request', 'approve']))
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved' })
    await resize(id)
    await sql`update quotations set batch_size = 2 where id = ${id}`.execute(database.db)
    expect(await allowedTo(seller, id)).toEqual(expect.arrayContaining(['create-orders', 'approve']))
  })
})

test('orders that are asked for too early are refused with what may be done instead', async () => {
  const { id, items } = await draftOf()
  await must(call('DELETE', `/api/v1/quotations/${id}/products/${items[0].id}/`))
  expect(await refusalOf(seller, id, 'create-orders')).toMatchObject({ code: 'not_approved' })
})

test('terms that are too large to be counted are refused with what may be done instead', async () => {
  const dear = await world.product({ price: 900_000_000_000 })
  const { id } = await draftOf()
  const body = { product_remote_id: dear, divisions: [{ id: main, quantity: 1_000_000 }] }
  const refused = await call('POST', `/api/v1/quotations/${id}/products/`, body)
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { code: 'quotation_too_large', allowed_actions: await allowedTo(seller, id) },
  ])
})
