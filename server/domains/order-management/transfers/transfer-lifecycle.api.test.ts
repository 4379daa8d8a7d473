import { describe, expect, test } from 'vitest'
import { makeFulfilment, type TransferBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { testLifecycle } from '#testing/test-lifecycle.ts'
import { transferLifecycle, type TransferAction, type TransferTerms } from './lifecycle.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const shipmentEvents = async (id: number | null) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('objectType', '=', 'shipment')
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map(({ type, body }) => ({ type, data: (JSON.parse(body) as { data: unknown }).data }))
}

const entriesOf = (transfer: TransferBody) =>
  database.db
    .selectFrom('stockEntries')
    .select(['locationId', 'kind', 'onHand', 'allocated', 'cause'])
    .where('locationId', 'in', [transfer.from_location, transfer.to_location])
    .orderBy('id')
    .execute()

/** Pieces on hand and allocated at the two ends: as the API shows them, and as the ledger adds up. */
const stockOf = async (transfer: TransferBody) => {
  const entries = await entriesOf(transfer)
  const ends = [transfer.from_location, transfer.to_location].map(async (locationId) => {
    const { on_hand, allocated } = (await fulfilment.balance(locationId, 'CHAIR')) ?? { on_hand: 0, allocated: 0 }
    const there = entries.filter((entry) => entry.locationId === locationId)
    expect([on_hand, allocated]).toEqual([
      there.reduce((sum, entry) => sum + entry.onHand, 0),
      there.reduce((sum, entry) => sum + entry.allocated, 0),
    ])
    return [on_hand, allocated]
  })
  return Promise.all(ends)
}

const kinds = ['plain', 'of a package'] as const
const make = async (kind: (typeof kinds)[number], status: TransferBody['status']) =>
  fulfilment.transferIn(status, kind === 'plain' ? {} : { package: (await fulfilment.packageIn('created')).id })

describe.each(kinds)('every action in every status of a transfer that is %s', (kind) => {
  testLifecycle<TransferTerms, TransferBody>({
    lifecycle: transferLifecycle,
    database,
    about: 'transfer',
    requesters: [{ who: 'an operator', part: {}, call }],
    reach: (status) => make(kind, status),
    situation: ({ status }) => ({ status }),
    url: (id) => `/api/v1/transfers/${id}/`,
    request: async (action, url, move) => [
      'POST',
      `${url}${action}/`,
      move?.needs === 'disposition' ? { disposition: 'return' } : {},
    ],
    raises(transfer, { to }) {
      const { allowed_actions: _, blocked_actions: __, ...data } = transfer
      return [{ type: `transfer.status.${to}`, data }]
    },
    look: async (transfer) => [await stockOf(transfer), await shipmentEvents(transfer.shipment)],
  })
})

interface Booking {
  readonly from: TransferBody['status']
  readonly action: TransferAction
  readonly body?: object
  /** Pieces on hand and allocated, at the source and at the destination. */
  readonly stock: readonly (readonly [number, number])[]
  readonly shipment: string
  readonly booked: readonly string[]
}
const atSource = (onHand: number, allocated: number) =>
  [
    [onHand, allocated],
    [0, 0],
  ] as const
/** The moves of the fulfilment rules, for 3 of 10 chairs. */
const bookings: readonly Booking[] = [
  { from: 'created', action: 'transition', stock: atSource(10, 3), shipment: 'created', booked: ['allocate'] },
  { from: 'created', action: 'cancel', stock: atSource(10, 0), shipment: 'cancelled', booked: [] },
  { from: 'transitioned', action: 'ready', stock: atSource(10, 3), shipment: 'ready', booked: [] },
  { from: 'transitioned', action: 'cancel', stock: atSource(10, 0), shipment: 'cancelled', booked: ['release'] },
  {
    from: 'ready_to_shipment',
    action: 'dispatch',
    stock: atSource(7, 0),
    shipment: 'in_transit',
    booked: ['transfer_out'],
  },
  { from: 'ready_to_shipment', action: 'cancel', stock: atSource(10, 0), shipment: 'cancelled', booked: ['release'] },
  {
    from: 'in_transit',
    action: 'receive',
    stock: [
      [7, 0],
      [3, 0],
    ],
    shipment: 'delivered',
    booked: ['transfer_in'],
  },
  {
    from: 'in_transit',
    action: 'receive',
    body: { items: [{ sku: 'CHAIR', received: 1 }], reason: 'Crushed' },
    stock: [
      [7, 0],
      [1, 0],
    ],
    shipment: 'delivered',
    booked: ['transfer_in', 'write_off'],
  },
  {
    from: 'in_transit',
    action: 'cancel',
    body: { disposition: 'return' },
    stock: atSource(10, 0),
    shipment: 'cancelled',
    booked: ['restock'],
  },
  {
    from: 'in_transit',
    action: 'cancel',
    body: { disposition: 'write_off' },
    stock: atSource(7, 0),
    shipment: 'cancelled',
    booked: ['restock', 'write_off'],
  },
]

test('every move of a transfer is a booking here', () => {
  const moves = transferLifecycle.statuses.flatMap((status) =>
    transferLifecycle.allowedActions({ status }).map((action) => `${status} ${action}`),
  )
  expect(moves).toEqual([...new Set(bookings.map(({ from, action }) => `${from} ${action}`))])
})

describe.each(kinds)('a transfer that is %s', (kind) => {
  test.each(bookings)('$from: $action $body books $booked', async ({ from, action, body, stock, shipment, booked }) => {
    const transfer = await make(kind, from)
    const before = { entries: await entriesOf(transfer), events: await shipmentEvents(transfer.shipment) }
    await fulfilment.actOnTransfer(transfer.id, action, body)
    const entries = (await entriesOf(transfer)).slice(before.entries.length)
    expect(entries.map((entry) => entry.kind)).toEqual(booked)
    expect(entries.filter(({ cause }) => !cause.startsWith(transfer.number))).toEqual([])
    expect(await stockOf(transfer)).toEqual(stock)

    const types = ['shipment.status.updated', ...(shipment === 'cancelled' ? ['shipment.cancelled'] : [])]
    const data = expect.objectContaining({
      id: transfer.shipment,
      transfer: transfer.id,
      package: null,
      status: shipment,
    }) as unknown
    expect((await shipmentEvents(transfer.shipment)).slice(before.events.length)).toEqual(
      kind === 'plain' ? [] : types.map((type) => ({ type, data })),
    )
  })
})
