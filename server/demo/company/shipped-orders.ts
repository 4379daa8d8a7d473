import { daysBefore, type TravelClock } from '../time.ts'
import type { Call, Made } from '../api.ts'

interface Order extends Made {
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
}

interface Parcel {
  readonly order: Order
  readonly clock: TravelClock
  readonly operator: Call
  /** The stock location that it leaves. */
  readonly place: number
}

/** How far the packages of the newest orders have come, and how many days ago each step was taken. */
const histories = [
  { packedAgo: 1, shippedAgo: undefined, deliveredAgo: undefined },
  { packedAgo: 3, shippedAgo: 2, deliveredAgo: undefined },
  { packedAgo: 6, shippedAgo: 5, deliveredAgo: 3 },
  { packedAgo: 9, shippedAgo: 8, deliveredAgo: 6 },
] as const

/** Packs the newest orders that the platform has, and sends most of them on, so that their buyers see where they are. */
export const shipOrders = async (operator: Call, clock: TravelClock, now: Date): Promise<void> => {
  const orders = await operator<readonly Order[]>(
    `GET /api/v1/orders/?status=created&ordering=-created_at&limit=${histories.length}`,
  )
  const [location] = await operator<readonly Made[]>('GET /api/v1/stock_locations/?is_active=true&limit=1')
  const place = location?.id ?? 0
  for (const [index, order] of orders.entries()) {
    const history = histories[index]
    if (history !== undefined) await ship({ order, clock, operator, place }, history, now)
  }
  clock.travelTo()
}

const ship = async (
  { order, clock, operator, place }: Parcel,
  { packedAgo, shippedAgo, deliveredAgo }: (typeof histories)[number],
  now: Date,
): Promise<void> => {
  clock.travelTo(daysBefore(now, packedAgo, 9))
  // What the month of packages has left may be too little.
  for (const { sku, quantity } of order.items)
    await operator(`POST /api/v1/stock_locations/${place}/stock/`, { sku, quantity, reason: 'From the joinery' })
  const { id } = await operator<Made>('POST /api/v1/packages/', { quotation_order: order.id, stock_location: place })
  const move = (action: string) => operator(`POST /api/v1/packages/${id}/${action}/`, {})
  await move('transition')
  await move('pack')
  if (shippedAgo === undefined) return
  clock.travelTo(daysBefore(now, shippedAgo, 14))
  const shipment = await operator<Made>('POST /api/v1/shipments/', {
    package: id,
    carrier: 'Yurtiçi Kargo',
    awb_number: `YK-${702_400 + order.id}`,
    tracking_url: `https://tracking.example/YK-${702_400 + order.id}`,
  })
  await move('ship')
  if (deliveredAgo === undefined) return
  clock.travelTo(daysBefore(now, deliveredAgo, 11))
  await operator(`PATCH /api/v1/shipments/${shipment.id}/`, { status: 'delivered' })
}
