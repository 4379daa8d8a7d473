import { describe, expect, test } from 'vitest'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeFulfilment(testApp)
const people = makePeople(testApp)
const read = async (path: string) => {
  const answer = await call('GET', `/api/v1/${path}`)
  expect([path, answer.statusCode]).toEqual([path, 200])
  return answer.json()
}

test('packages, transfers and shipments are counted by status, as their lists with the same filters are', async () => {
  const packed = await make.packageIn('packed')
  await make.packageIn('packed', { order_number: 'O-2' })
  await make.packageIn('cancelled')
  await make.shipment(packed.id)
  await make.transferIn('in_transit', { package: packed.id })
  const listed = async (list: string, query = '') => {
    const counts = await read(`${list}/counts/${query}`)
    const expected: Record<string, number> = {}
    for (const status of Object.keys(counts)) {
      const answer = await call('GET', `/api/v1/${list}/${query === '' ? '?' : `${query}&`}status=${status}&limit=1`)
      expected[status] = Number(answer.headers['x-total-count'])
    }
    expect([list, query, counts]).toEqual([list, query, expected])
    return counts
  }
  expect(await listed('packages')).toMatchObject({ created: 0, packed: 2, cancelled: 1 })
  expect(await listed('packages', '?order_number=O-2')).toMatchObject({ packed: 1, cancelled: 0 })
  expect(await listed('packages', '?sku=NONE')).toMatchObject({ packed: 0, cancelled: 0 })
  expect(await listed('transfers')).toMatchObject({ in_transit: 1, created: 0 })
  expect(await listed('transfers', `?package=${packed.id + 1}`)).toMatchObject({ in_transit: 0 })
  expect(await listed('shipments')).toMatchObject({ created: 1, in_transit: 1 })
  expect(await listed('shipments', '?carrier=DHL')).toMatchObject({ created: 1, in_transit: 0 })
  for (const query of ['status=packed', 'page=1', 'colour=red', 'created_date__gte=x'])
    expect([query, (await call('GET', `/api/v1/packages/counts/?${query}`)).statusCode]).toEqual([query, 400])
})

describe('what cannot be done now', () => {
  test('of a package and a transfer is shown in the words of the refusal', async () => {
    const parcel = await make.packageIn('created')
    const { allowed_actions: allowed, blocked_actions: blocked } = await read(`packages/${parcel.id}/`)
    expect(allowed).toEqual(['transition', 'cancel'])
    expect(blocked).toEqual({
      pack: 'Only a package that is transitioned allows pack; this one is created.',
      ship: 'Only a package that is packed allows ship; this one is created.',
      'pack-for-refund': 'Only a package that is packed or shipped allows pack-for-refund; this one is created.',
    })
    const transfer = await make.transferIn('transferred')
    const transferred = (await read(`transfers/${transfer.id}/`)).blocked_actions
    expect(transferred.cancel).toBe(
      'Only a transfer that is created, transitioned, ready_to_shipment or in_transit allows cancel; this one is transferred.',
    )
    for (const [path, actions] of [
      [`packages/${parcel.id}`, blocked],
      [`transfers/${transfer.id}`, transferred],
    ] as const)
      for (const [action, reason] of Object.entries(actions)) {
        const refused = await call('POST', `/api/v1/${path}/${action}/`)
        expect([refused.statusCode, refused.json().non_field_errors]).toEqual([400, [reason]])
      }
  })

  test('of a package that is packed without a shipment is that it needs one', async () => {
    const { id } = await make.packageIn('packed')
    expect((await read(`packages/${id}/`)).blocked_actions).toMatchObject({
      ship: 'The package needs a shipment before it can be shipped.',
    })
  })

  test('of a shipment is its cancellation, when it is cancelled or goes along with a transfer', async () => {
    const parcel = await make.packageIn('created')
    const { id } = await make.shipment(parcel.id)
    expect((await read(`shipments/${id}/`)).blocked_actions).toEqual({})
    await call('POST', `/api/v1/shipments/${id}/cancel/`)
    const transfer = await make.transferIn('created', { package: parcel.id })
    const carrying = (await read(`transfers/${transfer.id}/`)).shipment
    for (const shipment of [id, carrying]) {
      const { blocked_actions: blocked } = await read(`shipments/${shipment}/`)
      const refused = await call('POST', `/api/v1/shipments/${shipment}/cancel/`)
      expect([refused.statusCode, refused.json().non_field_errors]).toEqual([400, [blocked.cancel]])
    }
  })
})

describe('the ledger of a location', () => {
  test('shows what moved, newest first, with what it was booked for', async () => {
    const parcel = await make.packageIn('transitioned')
    const { stock_location: place } = parcel as unknown as { stock_location: number }
    const { id: actor } = await read('auth/me/')
    await make.post(`/api/v1/stock_locations/${place}/stock/`, { sku: 'DESK', quantity: 4, reason: parcel.number })
    const movements = await read(`stock_locations/${place}/movements/`)
    expect(movements).toMatchObject([
      // What an operator says may look like the number of a package.
      {
        sku: 'DESK',
        kind: 'adjust',
        quantity: 4,
        cause: { type: 'adjustment', id: null, number: null },
        reason: parcel.number,
      },
      { sku: 'CHAIR', kind: 'allocate', quantity: 1, on_hand: 0, allocated: 1, actor, reason: null },
      { sku: 'CHAIR', kind: 'adjust', quantity: 10, on_hand: 10, allocated: 0, reason: 'First count' },
    ])
    expect(movements[1].cause).toEqual({ type: 'package', id: parcel.id, number: parcel.number })
    const some = async (query: string) =>
      (await read(`stock_locations/${place}/movements/?${query}`)).map(({ kind }: { kind: string }) => kind)
    expect(await some('sku=CHAIR')).toEqual(['allocate', 'adjust'])
    expect(await some('kind=allocate')).toEqual(['allocate'])
    expect(await some('ordering=id&limit=1')).toEqual(['adjust'])
    expect(await some('created_date__gte=2100-01-01T00:00:00Z')).toEqual([])
    expect((await call('GET', `/api/v1/stock_locations/${place}/movements/?kind=theft`)).statusCode).toBe(400)
  })

  test('says of a loss on the way what was said of it', async () => {
    const transfer = await make.transferIn('in_transit')
    await make.actOnTransfer(transfer.id, 'receive', {
      items: [{ sku: 'CHAIR', received: 1 }],
      reason: 'Crushed: two',
    })
    const { to_location: place } = await read(`transfers/${transfer.id}/`)
    expect((await read(`stock_locations/${place}/movements/`))[0]).toMatchObject({
      kind: 'write_off',
      quantity: 2,
      on_hand: -2,
      cause: { type: 'transfer', id: transfer.id },
      reason: 'Crushed: two',
    })
  })

  test('is for staff, of a location that there is', async () => {
    const place = await make.location()
    const headers = await people.authorization(await people.person())
    expect((await call('GET', `/api/v1/stock_locations/${place}/movements/`, undefined, headers)).statusCode).toBe(403)
    expect((await call('GET', '/api/v1/packages/counts/', undefined, headers)).statusCode).toBe(403)
    expect((await call('GET', '/api/v1/stock_locations/999999/movements/')).statusCode).toBe(404)
  })
})
