import { describe, expect, test } from 'vitest'
import { makeFulfilment, type TransferBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const ends = {
  'its source': ['from_location'],
  'its destination': ['to_location'],
  'both ends': ['from_location', 'to_location'],
} as const satisfies Record<string, readonly ('from_location' | 'to_location')[]>
type End = keyof typeof ends
const everyEnd = Object.keys(ends) as End[]

const setActive = async (transfer: TransferBody, end: End, isActive: boolean): Promise<void> => {
  for (const field of ends[end]) {
    const answer = await call('PATCH', `/api/v1/stock_locations/${transfer[field]}/`, { is_active: isActive })
    expect([answer.statusCode, answer.json().is_active]).toEqual([200, isActive])
  }
}
/** Chairs on hand and allocated at the source and at the destination. */
const stockOf = async ({ from_location, to_location }: TransferBody) => {
  const [source, destination] = [
    await fulfilment.balance(from_location, 'CHAIR'),
    await fulfilment.balance(to_location, 'CHAIR'),
  ]
  return [source?.on_hand, source?.allocated, destination?.on_hand ?? 0]
}

/** Every move of work that is there, for 3 of 10 chairs, with what is left on hand, put aside, and at the destination. */
const finishing = [
  { from: 'created', action: 'cancel', to: 'cancelled', stock: [10, 0, 0] },
  { from: 'transitioned', action: 'ready', to: 'ready_to_shipment', stock: [10, 3, 0] },
  { from: 'transitioned', action: 'cancel', to: 'cancelled', stock: [10, 0, 0] },
  { from: 'ready_to_shipment', action: 'dispatch', to: 'in_transit', stock: [7, 0, 0] },
  { from: 'ready_to_shipment', action: 'cancel', to: 'cancelled', stock: [10, 0, 0] },
  { from: 'in_transit', action: 'receive', to: 'transferred', stock: [7, 0, 3] },
  { from: 'in_transit', action: 'cancel', body: { disposition: 'return' }, to: 'cancelled', stock: [10, 0, 0] },
  { from: 'in_transit', action: 'cancel', body: { disposition: 'write_off' }, to: 'cancelled', stock: [7, 0, 0] },
] as const

describe.each(everyEnd)('a transfer of which %s became inactive', (end) => {
  test.each(finishing)('goes on from $from by $action to $to', async ({ from, action, to, stock, ...rest }) => {
    const transfer = await fulfilment.transferIn(from)
    await setActive(transfer, end, false)
    const moved = await fulfilment.actOnTransfer(transfer.id, action, 'body' in rest ? rest.body : undefined)
    expect(moved.status).toBe(to)
    expect(await stockOf(transfer)).toEqual(stock)
  })
})

describe('handing over a transfer', () => {
  test.each(['its source', 'both ends'] as const)('is refused while inactive: %s', async (end) => {
    const transfer = await fulfilment.transferIn('created')
    await setActive(transfer, end, false)
    const refused = await call('POST', `/api/v1/transfers/${transfer.id}/transition/`)
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({ from_location: [expect.stringContaining('is not active')] })
    expect((await call('GET', `/api/v1/transfers/${transfer.id}/`)).json()).toEqual(transfer)
    expect(await stockOf(transfer)).toEqual([10, 0, 0])

    await setActive(transfer, end, true)
    expect((await fulfilment.actOnTransfer(transfer.id, 'transition')).status).toBe('transitioned')
  })

  test('is possible while only its destination is inactive', async () => {
    const transfer = await fulfilment.transferIn('created')
    await setActive(transfer, 'its destination', false)
    expect((await fulfilment.actOnTransfer(transfer.id, 'transition')).status).toBe('transitioned')
    expect(await stockOf(transfer)).toEqual([10, 3, 0])
  })

  test('at the moment its source is deactivated is done before, or refused', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const transfer = await fulfilment.transferIn('created')
      const [handedOver] = await Promise.all([
        call('POST', `/api/v1/transfers/${transfer.id}/transition/`),
        setActive(transfer, 'its source', false),
      ])
      const isDone = handedOver.statusCode === 200
      expect([200, 400]).toContain(handedOver.statusCode)
      expect(await stockOf(transfer)).toEqual([10, isDone ? 3 : 0, 0])
    }
  })
})

test('of deactivating a location and planning a transfer to it at once, the plan is made before or refused', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const [from, to] = [await fulfilment.location({ CHAIR: 1 }), await fulfilment.location()]
    const create = () =>
      call('POST', '/api/v1/transfers/', {
        from_location: from,
        to_location: to,
        items: [{ sku: 'CHAIR', quantity: 1 }],
      })
    const deactivate = () => call('PATCH', `/api/v1/stock_locations/${to}/`, { is_active: false })
    const answers = await Promise.all(
      (turn % 2 === 0 ? [create, deactivate] : [deactivate, create]).map((act) => act()),
    )
    const [created, deactivated] = turn % 2 === 0 ? answers : answers.toReversed()
    expect(deactivated?.statusCode).toBe(200)
    expect([201, 400]).toContain(created?.statusCode)
    const planned = (await call('GET', `/api/v1/transfers/?to_location=${to}`)).json<unknown[]>()
    expect(planned).toHaveLength(created?.statusCode === 201 ? 1 : 0)
    expect((await create()).json()).toEqual({ to_location: [expect.stringContaining('not active')] })
  }
})
