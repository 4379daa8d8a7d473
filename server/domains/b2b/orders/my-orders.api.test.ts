import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, services } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, chair, ask, admin, mine, must, buyer, division } = world
const fulfilment = makeFulfilment(app)
const place = await fulfilment.location({ [chair]: 1_000 })
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())

type Caller = Pick<typeof owner, 'call'>
const ordersOf = (who: Caller, query = '') => must(who.call('GET', `/api/v1/my-orders/?${query}`))

/** Approved quotations of a branch and of its main division; the commerce platform has their orders. */
const approved = async () => {
  const ofBranch = await ask(owner, branch, { [chair]: 600 })
  await mine(mainBuyer, ofBranch.id, 'approve-pending-request')
  const ofMain = await ask(mainBuyer, main)
  for (const { id } of [ofBranch, ofMain]) {
    await admin(id, 'approve')
    await vi.waitFor(
      async () => {
        const orders = await must(call('GET', `/api/v1/quotations/${id}/orders/`))
        expect(new Set(orders.map(({ status }: { status: string }) => status))).toEqual(new Set(['created']))
      },
      { timeout: 15_000, interval: 25 },
    )
  }
  return { ofBranch, ofMain }
}
let ofBranch: WireQuotation
let ofMain: WireQuotation
beforeAll(async () => {
  ;({ ofBranch, ofMain } = await approved())
})
const quotationsIn = ({ results }: { results: { quotation: { id: number } }[] }) =>
  results.map(({ quotation }) => quotation.id)

test('an owner reads the orders of their own quotations, and a main division those of its tree', async () => {
  const own = await ordersOf(owner)
  expect(quotationsIn(own)).toEqual([ofBranch.id, ofBranch.id])
  const { name: called } = await must(call('GET', `/api/v1/divisions/${branch}/`))
  expect(own.results[1]).toEqual({
    id: expect.any(Number),
    number: `${ofBranch.number}-1`,
    quotation: { id: ofBranch.id, number: ofBranch.number, name: 'Spring order' },
    division: { id: branch, name: called },
    quantity: 500,
    amount: '50000.00',
    currency: 'EUR',
    status: 'created',
    remote_number: expect.any(String),
    created_at: expect.any(String),
    packages: [],
  })
  expect(quotationsIn(await ordersOf(mainBuyer))).toEqual([ofMain.id])
  expect(quotationsIn(await ordersOf(mainBuyer, 'scope=tree'))).toEqual([ofMain.id, ofBranch.id, ofBranch.id])
  expect(quotationsIn(await ordersOf(mainBuyer, `scope=tree&quotation=${ofBranch.id}&limit=1`))).toEqual([ofBranch.id])
})

test('nobody else reads them', async () => {
  const other = await buyer(await division())
  for (const query of ['', 'scope=tree', `quotation=${ofMain.id}`]) expect((await ordersOf(other, query)).count).toBe(0)
  // A branch is no main division, and somebody without a division has no tree.
  expect((await ordersOf(owner, 'scope=tree')).count).toBe(0)
  expect((await ordersOf(app, 'scope=tree')).count).toBe(0)
  expect((await owner.call('GET', '/api/v1/my-orders/?scope=company')).statusCode).toBe(400)
})

test('an order shows its packages, each with its shipment, to both sides', async () => {
  const [order] = (await ordersOf(mainBuyer)).results
  const pack = (quantity: number) =>
    must(
      call('POST', '/api/v1/packages/', {
        quotation_order: order.id,
        stock_location: place,
        items: [{ sku: chair, quantity }],
      }),
    )
  const [sent, waiting, cancelled] = [await pack(1), await pack(1), await pack(1)]
  await must(call('POST', `/api/v1/packages/${cancelled.id}/cancel/`))
  const fields = { package: sent.id, carrier: 'DHL', awb_number: 'A-1', tracking_url: 'https://carrier.example/A-1' }
  const shipment = await must(call('POST', '/api/v1/shipments/', fields))
  await must(call('POST', `/api/v1/shipments/${shipment.id}/cancel/`))
  const next = await must(call('POST', '/api/v1/shipments/', fields))
  const { package: _, ...travels } = fields
  const packages = [
    { id: sent.id, number: sent.number, status: 'created', shipment: { id: next.id, status: 'created', ...travels } },
    { id: waiting.id, number: waiting.number, status: 'created', shipment: null },
  ]
  const shown = async (who: Caller, path: string) => must(who.call('GET', path))
  expect((await ordersOf(mainBuyer)).results[0].packages).toEqual(packages)
  expect((await shown(mainBuyer, `/api/v1/my-quotations/${ofMain.id}/`)).orders[0].packages).toEqual(packages)
  expect((await shown(app, `/api/v1/quotations/${ofMain.id}/`)).orders[0].packages).toEqual(packages)
  expect((await shown(app, `/api/v1/quotations/${ofMain.id}/orders/`))[0].packages).toEqual(packages)
  expect((await shown(app, `/api/v1/orders/${order.id}/`)).packages).toEqual(packages)
})
