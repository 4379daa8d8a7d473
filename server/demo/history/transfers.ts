import type { Static } from 'typebox'
import type { TransferData, TransferStatus } from '#events/order-management.ts'
import { dayMs } from '#platform/clock.ts'
import { historyDays, makeRhythm } from '../time.ts'
import { backOffice, type HistoryEvent } from './event.ts'
import { pickItems, pickLocation, stepTimes, type FulfilmentContext } from './packages.ts'
import type { MovementKind } from './stock.ts'

const plan: readonly (readonly [status: TransferStatus, count: number, from: number, until: number])[] = [
  ['transferred', 90, historyDays, 3],
  ['cancelled', 16, historyDays, 1],
  ['in_transit', 18, 3, 0.5],
  ['ready_to_shipment', 14, 2, 0.3],
  ['transitioned', 14, 2, 0.2],
  ['created', 12, 1.5, 0],
]
const ways: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  created: [],
  transitioned: ['transitioned'],
  ready_to_shipment: ['transitioned', 'ready_to_shipment'],
  in_transit: ['transitioned', 'ready_to_shipment', 'in_transit'],
  transferred: ['transitioned', 'ready_to_shipment', 'in_transit', 'transferred'],
  cancelled: ['transitioned', 'cancelled'],
}
const actions: Readonly<Record<TransferStatus, string>> = {
  created: 'create',
  transitioned: 'transition',
  ready_to_shipment: 'ready',
  in_transit: 'dispatch',
  transferred: 'receive',
  cancelled: 'cancel',
}
const movements: Partial<Record<TransferStatus, MovementKind>> = {
  transitioned: 'allocate',
  in_transit: 'transfer_out',
  transferred: 'transfer_in',
  cancelled: 'release',
}

type Row = Readonly<Record<string, unknown>>
export interface TransferHistory {
  readonly transfers: Row[]
  readonly items: Row[]
  readonly changes: Row[]
  readonly events: HistoryEvent[]
}

/** Plays the transfers between locations of the month. */
export const playTransfers = (context: FulfilmentContext): TransferHistory => {
  const { chance, now } = context
  const made: TransferHistory = { transfers: [], items: [], changes: [], events: [] }
  const begun = plan.flatMap(([status, count, from, until]) => {
    const rhythm = makeRhythm(new Date(now.getTime() - from * dayMs), new Date(now.getTime() - until * dayMs))
    return Array.from({ length: count }, () => ({ status, at: rhythm.at(chance.random(), chance.random()) }))
  })
  const inOrder = begun.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  for (const [index, { status, at }] of inOrder.entries()) playTransfer(context, made, { id: index + 1, status, at })
  return made
}

type Wire = Static<typeof TransferData>

const playTransfer = (
  context: FulfilmentContext,
  made: TransferHistory,
  { id, status, at }: { readonly id: number; readonly status: TransferStatus; readonly at: Date },
): void => {
  const { chance, now, staffIds, locations } = context
  const from = pickLocation(context)
  const transfer: Wire = {
    id,
    number: `T-${at.getUTCFullYear()}-${String(id).padStart(6, '0')}`,
    from_location: from,
    to_location: chance.pick(locations.filter((location) => location.id !== from)).id,
    package: null,
    shipment: null,
    status: 'created',
    items: pickItems(context).map(({ sku, quantity }) => ({ sku, quantity: quantity * 5, received: 0 })),
    created_date: at.toISOString(),
    modified_date: at.toISOString(),
  }
  const actorId = chance.pick(staffIds)
  record(made, actorId, transfer, null)
  const hours = ways[status].map(() => chance.between(2, 18))
  const last = takeSteps(context, made, { transfer, actorId, steps: ways[status], times: stepTimes(at, hours, now) })
  const {
    items,
    package: package_id,
    shipment: _,
    from_location,
    to_location,
    created_date,
    modified_date,
    ...row
  } = last
  made.transfers.push({
    ...row,
    package_id,
    from_location_id: from_location,
    to_location_id: to_location,
    created_at: created_date,
    modified_at: modified_date,
  })
  made.items.push(...items.map((item, position) => ({ transfer_id: id, position, ...item })))
}

/** That it came to the status that it has. */
const record = (made: TransferHistory, actorId: number, transfer: Wire, before: TransferStatus | null): void => {
  const { id, status } = transfer
  const at = new Date(transfer.modified_date)
  made.changes.push({
    transfer_id: id,
    action: actions[status],
    from_status: before,
    to_status: status,
    actor_id: actorId,
    created_at: at,
  })
  made.events.push(backOffice(`transfer.status.${status}`, at, ['transfer', id], transfer))
}

interface Journey {
  readonly transfer: Wire
  readonly actorId: number
  readonly steps: readonly TransferStatus[]
  readonly times: readonly Date[]
}

/** Takes a transfer through its steps. @returns it as it is after the last one. */
const takeSteps = (
  { stock, now }: FulfilmentContext,
  made: TransferHistory,
  { transfer, actorId, steps, times }: Journey,
): Wire => {
  let last = transfer
  for (const [index, step] of steps.entries()) {
    const at = times[index] ?? now
    const { items, status: before, number: cause, from_location, to_location } = last
    const kind = movements[step]
    const locationId = step === 'transferred' ? to_location : from_location
    if (kind !== undefined) stock.move({ kind, locationId, items, cause, actorId, at })
    const received = step === 'transferred' ? items.map((item) => ({ ...item, received: item.quantity })) : items
    last = { ...last, status: step, items: received, modified_date: at.toISOString() }
    record(made, actorId, last, before)
  }
  return last
}
