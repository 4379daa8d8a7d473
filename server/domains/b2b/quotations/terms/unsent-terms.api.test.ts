import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, branch, chair, admin, mine, must } = world
const lamp = await world.product({ price: 1_250 })

type Caller = Pick<typeof owner, 'call'>
const detailOf = (caller: Caller, id: number) => must(caller.call('GET', `/api/v1/my-quotations/${id}/`))
const listed = (caller: Caller, query: string) => must(caller.call('GET', `/api/v1/my-quotations/?limit=100&${query}`))
const idsOf = async (caller: Caller, query: string): Promise<number[]> =>
  (await listed(caller, query)).results.map(({ id }: { id: number }) => id)
const terms = ({ total_amount, net_amount, items, discounts, revision }: Record<string, unknown>) => ({
  total_amount,
  net_amount,
  items,
  discounts,
  revision,
})

/** Three chairs for 300.00, in a draft in which they cost 30.00 less 10 % and there are lamps, which nobody was sent. */
const edited = async (buyer: Caller = owner) => {
  const made = await world.ask(buyer, branch)
  await mine(mainBuyer, made.id, 'approve-pending-request')
  await admin(made.id, 'set-as-draft')
  await must(call('PATCH', `/api/v1/quotations/${made.id}/`, { items: [{ id: made.items[0].id, price: '10' }] }))
  await admin(made.id, 'discounts', { discount_type: 'percentage', value: 10 })
  await admin(made.id, 'products', { product_remote_id: lamp, divisions: [{ id: branch, quantity: 2 }] })
  return { ...made, itemId: made.items[0].id }
}

test('who asked, and their main division, see the terms that they know until others are sent', async () => {
  const made = await edited()
  const present = await must(call('GET', `/api/v1/quotations/${made.id}/`))
  expect(present).toMatchObject({ status: 'draft', total_amount: '55.00', net_amount: '49.50' })
  for (const caller of [owner, mainBuyer]) {
    const detail = await detailOf(caller, made.id)
    expect(detail.status).toBe('draft')
    expect(terms(detail)).toEqual(terms(made))
  }
  await admin(made.id, 'send-approval-request')
  for (const caller of [owner, mainBuyer]) {
    expect(terms(await detailOf(caller, made.id))).toEqual({ ...terms(present), revision: 2 })
  }
  await admin(made.id, 'set-as-draft')
  await must(call('DELETE', `/api/v1/quotations/${made.id}/products/${present.items[1].id}/`))
  expect(terms(await detailOf(owner, made.id))).toEqual({ ...terms(present), revision: 2 })
})

test('what was never sent stays unknown when the draft is the end', async () => {
  const [cancelled, rejected] = [await edited(), await edited()]
  expect(terms(await mine(owner, cancelled.id, 'cancel'))).toEqual(terms(cancelled))
  await admin(rejected.id, 'reject')
  expect(terms(await detailOf(owner, rejected.id))).toEqual(terms(rejected))
  const list = await listed(owner, 'status=cancelled&status=rejected')
  for (const { total_amount: total, net_amount: net } of list.results)
    expect([total, net]).toEqual(['300.00', '300.00'])
  // The seller goes on from what was edited.
  expect(await admin(rejected.id, 'set-as-draft')).toMatchObject({ net_amount: '49.50' })
})

test('lists show, find and order by the amounts that their owner knows', async () => {
  const buyer = await world.buyer(branch)
  const draft = await edited(buyer)
  const small = await world.ask(buyer, branch, { [lamp]: 8 })
  expect((await listed(buyer, 'status=draft')).results).toMatchObject([
    { id: draft.id, status: 'draft', total_amount: '300.00', net_amount: '300.00' },
  ])
  expect(await idsOf(buyer, 'total_amount=300')).toEqual([draft.id])
  expect(await idsOf(buyer, 'total_amount__gte=200')).toEqual([draft.id])
  expect(await idsOf(buyer, 'total_amount__lte=100')).toEqual([small.id])
  for (const field of ['total_amount', 'net_amount']) {
    expect(await idsOf(buyer, `ordering=${field}`)).toEqual([small.id, draft.id])
    expect(await idsOf(buyer, `ordering=-${field}`)).toEqual([draft.id, small.id])
  }
  // The seller's list is of what is.
  expect((await must(call('GET', `/api/v1/quotations/?total_amount=55&number=${draft.number}`))).results).toMatchObject(
    [{ id: draft.id, total_amount: '55.00', net_amount: '49.50' }],
  )
})

test('a draft is duplicated into the basket as it was sent, also what is not in it any more', async () => {
  const made = await edited()
  await must(call('DELETE', `/api/v1/quotations/${made.id}/products/${made.itemId}/`))
  const basket = await must(owner.call('POST', `/api/v1/my-quotations/${made.id}/duplicate/`))
  expect(basket.basket_items).toHaveLength(1)
  expect(JSON.stringify(basket)).toContain(chair)
})
