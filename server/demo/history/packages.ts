import type { Static } from 'typebox'
import type { PackageData, PackageStatus, ShipmentData, ShipmentStatus } from '#events/order-management.ts'
import { dayMs, hourMs } from '#platform/clock.ts'
import type { Location } from '../company/goods.ts'
import { historyDays, makeRhythm } from '../time.ts'
import type { Chance } from './chance.ts'
import { backOffice, type HistoryEvent } from './event.ts'
import type { MovementKind, StockHistory } from './stock.ts'

/** How many packages end in each status, and how many days ago they began: the open ones lately. */
const plan: readonly (readonly [status: PackageStatus, count: number, from: number, until: number])[] = [
  ['shipped', 1_700, historyDays, 1],
  ['packed_for_refund', 250, historyDays, 5],
  ['cancelled', 250, historyDays, 0.5],
  ['packed', 250, 5, 0.6],
  ['transitioned', 250, 4, 0.2],
  ['created', 250, 3, 0],
]

/** The moves of a package after its creation, and the shortest and longest hours before each. */
const ways: Readonly<Record<PackageStatus, readonly PackageStatus[]>> = {
  created: [],
  transitioned: ['transitioned'],
  packed: ['transitioned', 'packed'],
  shipped: ['transitioned', 'packed', 'shipped'],
  packed_for_refund: ['transitioned', 'packed', 'shipped', 'packed_for_refund'],
  cancelled: ['transitioned', 'cancelled'],
}
const waits: Readonly<Record<PackageStatus, readonly [number, number]>> = {
  created: [0, 0],
  transitioned: [0.2, 3],
  packed: [0.5, 8],
  shipped: [1, 10],
  packed_for_refund: [60, 110],
  cancelled: [1, 20],
}
const actions: Readonly<Record<PackageStatus, string>> = {
  created: 'create',
  transitioned: 'transition',
  packed: 'pack',
  shipped: 'ship',
  packed_for_refund: 'pack-for-refund',
  cancelled: 'cancel',
}
const movements: Partial<Record<PackageStatus, MovementKind>> = {
  transitioned: 'allocate',
  shipped: 'sale',
  cancelled: 'release',
}

const carriers = [
  ['DHL', 'JD0146', 'https://www.dhl.com/track?awb='],
  ['Aras Kargo', 'AR77', 'https://kargotakip.araskargo.com.tr/?kod='],
  ['Yurtiçi Kargo', 'YK30', 'https://www.yurticikargo.com/?code='],
  ['UPS', '1Z999AA1', 'https://www.ups.com/track?tracknum='],
  ['GLS', 'GLS91', 'https://gls-group.eu/track/'],
] as const

export interface FulfilmentContext {
  readonly chance: Chance
  readonly stock: StockHistory
  readonly now: Date
  readonly locations: readonly Location[]
  readonly skus: readonly string[]
  readonly staffIds: readonly number[]
}

type Row = Readonly<Record<string, unknown>>

/** What the packages of the month leave in the tables, and what it raised. */
export interface PackageHistory {
  readonly packages: Row[]
  readonly items: Row[]
  readonly changes: Row[]
  readonly shipments: Row[]
  readonly events: HistoryEvent[]
}

/** A location, the large ones more often. */
export const pickLocation = ({ chance, locations }: Pick<FulfilmentContext, 'chance' | 'locations'>): number => {
  let left = chance.random()
  for (const { id, share } of locations) {
    left -= share
    if (left < 0) return id
  }
  return locations[0]?.id ?? 0
}

/** One to three skus with a few pieces of each. */
export const pickItems = ({ chance, skus }: Pick<FulfilmentContext, 'chance' | 'skus'>) => {
  const picked = new Set(Array.from({ length: chance.whole(1, 3) }, () => chance.pick(skus, 1.7)))
  return [...picked].map((sku) => ({ sku, quantity: chance.whole(1, 4) }))
}

/** Moments of steps that begin at a time and are all over by now. @param hours between them. */
export const stepTimes = (begins: Date, hours: readonly number[], now: Date): Date[] => {
  const wantedMs = hours.reduce((sum, some) => sum + some, 0) * hourMs
  const shrink = Math.min(1, ((now.getTime() - begins.getTime()) * 0.97) / Math.max(wantedMs, 1))
  let at = begins.getTime()
  return hours.map((some) => new Date((at += Math.floor(some * hourMs * shrink))))
}

/** Plays the packages of the month. */
export const playPackages = (context: FulfilmentContext): PackageHistory => {
  const { chance, now } = context
  const made: PackageHistory = { packages: [], items: [], changes: [], shipments: [], events: [] }
  const begun = plan.flatMap(([status, count, from, until]) => {
    const rhythm = makeRhythm(new Date(now.getTime() - from * dayMs), new Date(now.getTime() - until * dayMs))
    return Array.from({ length: count }, () => ({ status, at: rhythm.at(chance.random(), chance.random()) }))
  })
  const inOrder = begun.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  for (const [index, { status, at }] of inOrder.entries()) playPackage(context, made, { id: index + 1, status, at })
  return made
}

interface Begun {
  readonly id: number
  readonly status: PackageStatus
  readonly at: Date
}

const playPackage = (context: FulfilmentContext, made: PackageHistory, begun: Begun): void => {
  const { chance, now } = context
  const { id, status, at } = begun
  const steps = status === 'cancelled' && chance.isOneOf(0.4) ? (['cancelled'] as const) : ways[status]
  const hours = steps.map((step) => chance.between(...waits[step]))
  const times = stepTimes(at, hours, now)
  const locationId = pickLocation(context)
  const parcel: Parcel = {
    id,
    number: `P-${at.getUTCFullYear()}-${String(id).padStart(6, '0')}`,
    order_number: `WEB-${20_000 + id * 7}`,
    stock_location: steps.length > 0 || chance.isOneOf(0.5) ? locationId : null,
    status: 'created',
    items: pickItems(context),
    shipment: null,
    created_date: at.toISOString(),
    modified_date: at.toISOString(),
  }
  const timed = steps.map((step, index) => ({ step, at: times[index] ?? now, nextAt: times[index + 1] }))
  const last = takeSteps(context, made, { parcel, actorId: chance.pick(context.staffIds), steps: timed })
  const { items, shipment: _, stock_location, created_date, modified_date, ...row } = last
  made.packages.push({
    ...row,
    location_id: stock_location,
    is_sold: status === 'shipped' || status === 'packed_for_refund',
    created_at: created_date,
    modified_at: modified_date,
  })
  made.items.push(...items.map((item, position) => ({ package_id: id, position, ...item })))
}

type Parcel = Static<typeof PackageData>
interface Journey {
  readonly parcel: Parcel
  readonly actorId: number
  readonly steps: readonly { readonly step: PackageStatus; readonly at: Date; readonly nextAt: Date | undefined }[]
}

/** Takes a package through its steps. @returns it as it is after the last one. */
const takeSteps = (context: FulfilmentContext, made: PackageHistory, { parcel, actorId, steps }: Journey): Parcel => {
  const { id, number: cause, items, stock_location: location } = parcel
  let now = parcel
  const raise = (type: string, at: Date, more: object = {}): void =>
    void made.events.push(backOffice(type, at, ['package', id], { ...now, ...more }))
  const record = (from: string | null, at: Date): void =>
    void made.changes.push({
      package_id: id,
      action: actions[now.status],
      from_status: from,
      to_status: now.status,
      location_id: location,
      actor_id: actorId,
      created_at: at,
    })
  record(null, new Date(parcel.created_date))
  raise('package.created', new Date(parcel.created_date))
  for (const { step, at, nextAt } of steps) {
    const before = now.status
    const kind = step === 'cancelled' && before === 'created' ? undefined : movements[step]
    if (kind !== undefined && location !== null)
      context.stock.move({ kind, locationId: location, items, cause, actorId, at })
    now = { ...now, status: step, modified_date: at.toISOString() }
    record(before, at)
    raise(`package.status.${step}`, at)
    if (step !== 'packed') continue
    const shipmentAt = new Date(Math.min(at.getTime() + 60_000, (at.getTime() + (nextAt ?? context.now).getTime()) / 2))
    const shipment = playShipment(context, made, { packageId: id, at: shipmentAt, shipped: nextAt })
    now = { ...now, shipment: shipment.id }
    raise('package.shipment.awb_number', shipmentAt, { awb_number: shipment.awb })
  }
  return now
}

/** How shipments that left end, if there is time: most arrive. */
const shipmentEnds: readonly (readonly [number, readonly ShipmentStatus[]])[] = [
  [0.04, ['failed']],
  [0.07, ['out_for_delivery', 'returned']],
  [1, ['out_for_delivery', 'delivered']],
]

const playShipment = (
  { chance, now }: FulfilmentContext,
  made: PackageHistory,
  { packageId, at, shipped }: { readonly packageId: number; readonly at: Date; readonly shipped: Date | undefined },
): { readonly id: number; readonly awb: string } => {
  const id = made.shipments.length + 1
  const [carrier, prefix, url] = chance.pick(carriers, 1.4)
  const awb = `${prefix}${String(10_000_000 + id * 137)}`
  let shipment: Static<typeof ShipmentData> = {
    id,
    package: packageId,
    transfer: null,
    carrier,
    awb_number: awb,
    tracking_url: `${url}${awb}`,
    status: 'created',
    created_date: at.toISOString(),
    modified_date: at.toISOString(),
  }
  const raise = (type: string, when: Date): void =>
    void made.events.push(backOffice(type, when, ['shipment', id], shipment))
  raise('shipment.created', at)
  if (shipped !== undefined) {
    const luck = chance.random()
    const [, ends] = shipmentEnds.find(([upTo]) => luck < upTo) ?? [0, [] as const]
    let when = Math.max(shipped.getTime(), at.getTime() + 1_000)
    for (const status of ['in_transit', ...ends] as const) {
      if (when > now.getTime()) break
      shipment = { ...shipment, status, modified_date: new Date(when).toISOString() }
      raise('shipment.status.updated', new Date(when))
      when += chance.between(8, 30) * hourMs
    }
  }
  const { package: package_id, transfer: transfer_id, created_date, modified_date, ...row } = shipment
  made.shipments.push({ ...row, package_id, transfer_id, created_at: created_date, modified_at: modified_date })
  return { id, awb }
}
