import { describe, expect, test } from 'vitest'
import { shipmentStatuses, transferStatuses, type TransferStatus } from '#events/order-management.ts'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const typesOf = async (type: string, id: number | null) => {
  const rows = await database.db
    .selectFrom('events')
    .select('type')
    .where('objectType', '=', type)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map((row) => row.type)
}
const shipmentOf = async (id: number | null) => (await call('GET', `/api/v1/shipments/${String(id)}/`)).json()
/** A transfer that serves a package. The shipment's id is that of the creation: a cancelled transfer names none. */
const transferIn = async (status: TransferStatus, fields: object = {}) => {
  const parcel = await fulfilment.packageIn('packed')
  const transfer = await fulfilment.transferIn(status, { package: parcel.id, ...fields })
  const [{ id: shipmentId }] = (await call('GET', `/api/v1/shipments/?transfer=${transfer.id}`)).json<
    [{ id: number }]
  >()
  return { ...transfer, parcel, shipmentId }
}

describe('the shipment of a transfer', () => {
  test('is made with it when it serves a package, and carries the transfer', async () => {
    const transfer = await transferIn('created')
    expect(await shipmentOf(transfer.shipment)).toMatchObject({
      package: null,
      transfer: transfer.id,
      carrier: 'internal',
      awb_number: null,
      tracking_url: null,
      status: 'created',
      allowed_statuses: [],
      allowed_actions: [],
    })
    expect(await typesOf('shipment', transfer.shipment)).toEqual(['shipment.created'])
  })

  test('is as the transfer was told', async () => {
    const fields = { carrier: 'DHL', awb_number: 'AWB-7', tracking_url: 'https://carrier.example/7' }
    expect(await shipmentOf((await transferIn('created', fields)).shipment)).toMatchObject(fields)
  })

  test('does not stand in for that of the package, and raises no event of the package', async () => {
    const transfer = await transferIn('created', { awb_number: 'AWB-8' })
    await call('PATCH', `/api/v1/shipments/${transfer.shipmentId}/`, { awb_number: 'AWB-9' })
    expect((await call('GET', `/api/v1/packages/${transfer.parcel.id}/`)).json()).toMatchObject({ shipment: null })
    expect(await typesOf('package', transfer.parcel.id)).not.toContain('package.shipment.awb_number')
    expect((await call('POST', `/api/v1/packages/${transfer.parcel.id}/ship/`)).json()).toMatchObject({
      code: 'shipment_required',
    })
    const own = await fulfilment.shipment(transfer.parcel.id)
    expect(await shipmentOf(own.id)).toMatchObject({ package: transfer.parcel.id, transfer: null })
    await fulfilment.act(transfer.parcel.id, 'cancel')
    expect(await shipmentOf(transfer.shipmentId)).toMatchObject({ status: 'created' })
  })

  test('tells of every step', async () => {
    const transfer = await transferIn('transferred')
    expect(await typesOf('shipment', transfer.shipmentId)).toEqual([
      'shipment.created',
      ...Array.from({ length: 4 }, () => 'shipment.status.updated'),
    ])
    expect(await shipmentOf(transfer.shipmentId)).toMatchObject({ status: 'delivered' })
  })

  const cells = transferStatuses.flatMap((transfer) => shipmentStatuses.map((status) => ({ transfer, status })))
  const statuses: Record<TransferStatus, string> = {
    created: 'created',
    transitioned: 'created',
    ready_to_shipment: 'ready',
    in_transit: 'in_transit',
    transferred: 'delivered',
    cancelled: 'cancelled',
  }

  // What is refused changes nothing, so the cells of a status share a transfer.
  const shared = new Map<TransferStatus, ReturnType<typeof transferIn>>()
  const sharedIn = (status: TransferStatus) => {
    const transfer = shared.get(status) ?? transferIn(status)
    shared.set(status, transfer)
    return transfer
  }

  test.each(cells.filter((cell) => statuses[cell.transfer] !== cell.status))(
    'cannot be set to $status when its transfer is $transfer',
    async ({ transfer: status, status: wanted }) => {
      const transfer = await sharedIn(status)
      const before = [await typesOf('shipment', transfer.shipmentId), await shipmentOf(transfer.shipmentId)]
      const answer = await call('PATCH', `/api/v1/shipments/${transfer.shipmentId}/`, { status: wanted })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        non_field_errors: [expect.stringMatching(status === 'cancelled' ? /cancelled/ : /move transfer \d+/)],
        code: 'shipment_move_not_allowed',
        allowed_actions: [],
      })
      expect([await typesOf('shipment', transfer.shipmentId), await shipmentOf(transfer.shipmentId)]).toEqual(before)
    },
  )

  test.each(transferStatuses)('cannot be cancelled by itself when its transfer is %s', async (status) => {
    const transfer = await sharedIn(status)
    const answer = await call('POST', `/api/v1/shipments/${transfer.shipmentId}/cancel/`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'shipment_move_not_allowed', allowed_actions: [] })
    expect(await shipmentOf(transfer.shipmentId)).toMatchObject({ status: statuses[status] })
  })

  test('lets carrier, number and tracking URL be changed, without an event', async () => {
    const transfer = await transferIn('in_transit')
    const changes = { carrier: 'UPS', awb_number: '1Z', tracking_url: 'https://carrier.example/1Z' }
    const before = await shipmentOf(transfer.shipmentId)
    const answer = await call('PATCH', `/api/v1/shipments/${transfer.shipmentId}/`, { ...before, ...changes })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ ...changes, status: 'in_transit' })
    expect(await typesOf('shipment', transfer.shipmentId)).toHaveLength(4)
  })

  test('is found by its transfer', async () => {
    const transfer = await transferIn('created')
    const rows = (await call('GET', `/api/v1/shipments/?transfer=${transfer.id}`)).json<{ id: number }[]>()
    expect(rows.map(({ id }) => id)).toEqual([transfer.shipment])
    expect((await call('GET', '/api/v1/shipments/?transfer=x')).statusCode).toBe(400)
  })
})

test.each(['shipped', 'packed_for_refund', 'cancelled'] as const)(
  'a package that is %s gets no transfer',
  async (status) => {
    const parcel = await fulfilment.packageIn(status)
    const answer = await call('POST', '/api/v1/transfers/', {
      from_location: await fulfilment.location({ CHAIR: 1 }),
      to_location: await fulfilment.location(),
      package: parcel.id,
      items: [{ sku: 'CHAIR', quantity: 1 }],
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'package_takes_no_transfer' })
  },
)

test('of cancelling a package and creating a transfer for it at once, the transfer never sees a cancelled package', async () => {
  const parcel = await fulfilment.packageIn('packed')
  const [from, to] = [await fulfilment.location({ CHAIR: 1 }), await fulfilment.location()]
  const body = { from_location: from, to_location: to, package: parcel.id, items: [{ sku: 'CHAIR', quantity: 1 }] }
  const [cancel, create] = await Promise.all([
    call('POST', `/api/v1/packages/${parcel.id}/cancel/`),
    call('POST', '/api/v1/transfers/', body),
  ])
  expect(cancel.statusCode).toBe(200)
  expect([201, 400]).toContain(create.statusCode)
  expect((await call('POST', '/api/v1/transfers/', body)).statusCode).toBe(400)
})

test('of moving a transfer and changing its shipment at once, both count', async () => {
  const transfer = await transferIn('ready_to_shipment')
  const [dispatch, change] = await Promise.all([
    call('POST', `/api/v1/transfers/${transfer.id}/dispatch/`),
    call('PATCH', `/api/v1/shipments/${transfer.shipmentId}/`, { awb_number: 'AWB-1' }),
  ])
  expect([dispatch.statusCode, change.statusCode]).toEqual([200, 200])
  expect(await shipmentOf(transfer.shipmentId)).toMatchObject({ status: 'in_transit', awb_number: 'AWB-1' })
})
