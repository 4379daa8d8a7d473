import { describe, expect, test } from 'vitest'
import { makeFulfilment, type TransferBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { allowedActions, transferActions, transferStatuses, type TransferStatus } from './transitions.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const eventsOf = async (type: string, id: number | null) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('objectType', '=', type)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map((row) => ({
    type: row.type,
    data: (JSON.parse(row.body) as { data: Record<string, unknown> }).data,
  }))
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

/** The moves of the fulfilment rules, for 3 of 10 chairs: what is at the source and at the destination after each. */
const moves = [
  {
    from: 'created',
    action: 'transition',
    to: 'transitioned',
    stock: [
      [10, 3],
      [0, 0],
    ],
    shipment: 'created',
    booked: ['allocate'],
  },
  {
    from: 'created',
    action: 'cancel',
    to: 'cancelled',
    stock: [
      [10, 0],
      [0, 0],
    ],
    shipment: 'cancelled',
    booked: [],
  },
  {
    from: 'transitioned',
    action: 'ready',
    to: 'ready_to_shipment',
    stock: [
      [10, 3],
      [0, 0],
    ],
    shipment: 'ready',
    booked: [],
  },
  {
    from: 'transitioned',
    action: 'cancel',
    to: 'cancelled',
    stock: [
      [10, 0],
      [0, 0],
    ],
    shipment: 'cancelled',
    booked: ['release'],
  },
  {
    from: 'ready_to_shipment',
    action: 'dispatch',
    to: 'in_transit',
    stock: [
      [7, 0],
      [0, 0],
    ],
    shipment: 'in_transit',
    booked: ['transfer_out'],
  },
  {
    from: 'ready_to_shipment',
    action: 'cancel',
    to: 'cancelled',
    stock: [
      [10, 0],
      [0, 0],
    ],
    shipment: 'cancelled',
    booked: ['release'],
  },
  {
    from: 'in_transit',
    action: 'receive',
    to: 'transferred',
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
    to: 'transferred',
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
    to: 'cancelled',
    stock: [
      [10, 0],
      [0, 0],
    ],
    shipment: 'cancelled',
    booked: ['restock'],
  },
  {
    from: 'in_transit',
    action: 'cancel',
    body: { disposition: 'write_off' },
    to: 'cancelled',
    stock: [
      [7, 0],
      [0, 0],
    ],
    shipment: 'cancelled',
    booked: ['restock', 'write_off'],
  },
] as const satisfies readonly {
  from: TransferStatus
  action: (typeof transferActions)[number]
  body?: object
  to: TransferStatus
  stock: unknown
  shipment: string
  booked: readonly string[]
}[]

const kinds = ['plain', 'of a package'] as const
const make = async (kind: (typeof kinds)[number], status: TransferStatus) =>
  fulfilment.transferIn(status, kind === 'plain' ? {} : { package: (await fulfilment.packageIn('created')).id })

/** Does the action to a transfer in the status. @returns the answer, the transfer after it, and what it raised and booked. */
const tryCell = async (transfer: TransferBody, action: string, body?: object) => {
  const before = {
    transfer: await eventsOf('transfer', transfer.id),
    shipment: await eventsOf('shipment', transfer.shipment),
    entries: await entriesOf(transfer),
  }
  const answer = await call('POST', `/api/v1/transfers/${transfer.id}/${action}/`, body)
  return {
    answer,
    now: (await call('GET', `/api/v1/transfers/${transfer.id}/`)).json<TransferBody>(),
    raised: (await eventsOf('transfer', transfer.id)).slice(before.transfer.length),
    shipmentRaised: (await eventsOf('shipment', transfer.shipment)).slice(before.shipment.length),
    booked: (await entriesOf(transfer)).slice(before.entries.length),
  }
}

describe.each(kinds)('every cell of the table, for a transfer that is %s', (kind) => {
  test.each(moves)('$from: $action leads to $to', async ({ from, action, to, stock, shipment, booked, ...rest }) => {
    const transfer = await make(kind, from)
    const cell = await tryCell(transfer, action, 'body' in rest ? rest.body : undefined)
    expect(cell.answer.statusCode).toBe(200)
    expect(cell.answer.json()).toEqual(cell.now)
    const { allowed_actions: allowed, ...data } = cell.now
    expect(data.status).toBe(to)
    expect(allowed).toEqual(allowedActions(to))
    expect(cell.raised).toEqual([{ type: `transfer.status.${to}`, data }])
    expect(cell.booked.map((entry) => entry.kind)).toEqual(booked)
    expect(cell.booked.filter(({ cause }) => !cause.startsWith(transfer.number))).toEqual([])
    expect(await stockOf(transfer)).toEqual(stock)

    const expected =
      kind === 'plain' ? [] : ['shipment.status.updated', ...(shipment === 'cancelled' ? ['shipment.cancelled'] : [])]
    expect(cell.shipmentRaised.map(({ type }) => type)).toEqual(expected)
    expect(cell.shipmentRaised.map((event) => event.data)).toEqual(
      expected.map(() =>
        expect.objectContaining({ id: transfer.shipment, transfer: transfer.id, package: null, status: shipment }),
      ),
    )
  })

  const isMove = ({ status, action }: { status: TransferStatus; action: string }) =>
    moves.some((move) => move.from === status && move.action === action)
  const refused = transferStatuses
    .flatMap((status) => transferActions.map((action) => ({ status, action })))
    .filter((cell) => !isMove(cell))

  test('most cells have no move', () => expect(refused).toHaveLength(22))

  test.each(refused)('$status: $action is refused', async ({ status, action }) => {
    const transfer = await make(kind, status)
    const stock = await stockOf(transfer)
    const cell = await tryCell(transfer, action)
    expect(cell.answer.statusCode).toBe(400)
    expect(cell.answer.json()).toEqual({
      non_field_errors: [expect.stringContaining(status)],
      code: 'transfer_move_not_allowed',
      allowed_actions: allowedActions(status),
    })
    expect(cell.now).toEqual(transfer)
    expect([cell.raised, cell.shipmentRaised, cell.booked]).toEqual([[], [], []])
    expect(await stockOf(transfer)).toEqual(stock)
  })
})

test('allowed_actions are the moves of the fulfilment rules', () => {
  for (const status of transferStatuses) {
    const actions = moves.filter((move) => move.from === status).map(({ action }) => action)
    expect(allowedActions(status)).toEqual([...new Set(actions)])
  }
})
