import type { PackageStatus, TransferStatus } from '#events/order-management.ts'
import type { TestApp } from '../make-test-app.ts'

export interface PackageBody {
  readonly id: number
  readonly number: string
  readonly status: PackageStatus
  readonly shipment: number | null
  readonly stock_location: number | null
  readonly quotation_order: number | null
  readonly allowed_actions: readonly string[]
  readonly blocked_actions: Readonly<Record<string, string>>
}
export interface TransferBody {
  readonly id: number
  readonly number: string
  readonly status: TransferStatus
  readonly from_location: number
  readonly to_location: number
  readonly package: number | null
  readonly shipment: number | null
  readonly items: readonly { readonly sku: string; readonly quantity: number; readonly received: number }[]
  readonly allowed_actions: readonly string[]
  readonly blocked_actions: Readonly<Record<string, string>>
}
/** The steps that bring a new package to a status, the shortest way. */
const ways: Record<PackageStatus, readonly string[]> = {
  created: [],
  transitioned: ['transition'],
  packed: ['transition', 'pack'],
  shipped: ['transition', 'pack', 'shipment', 'ship'],
  packed_for_refund: ['transition', 'pack', 'shipment', 'ship', 'pack-for-refund'],
  cancelled: ['cancel'],
}

const transferWays: Record<TransferStatus, readonly string[]> = {
  created: [],
  transitioned: ['transition'],
  ready_to_shipment: ['transition', 'ready'],
  in_transit: ['transition', 'ready', 'dispatch'],
  transferred: ['transition', 'ready', 'dispatch', 'receive'],
  cancelled: ['cancel'],
}

/** Factories for fulfilment tests, through the API. Each throws when the server refuses. */
export const makeFulfilment = ({ call }: Pick<TestApp, 'call'>) => {
  let made = 0

  const post = async <T>(url: string, body?: unknown): Promise<T> => {
    const answer = await call('POST', url, body)
    if (answer.statusCode >= 300) throw new Error(`POST ${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<T>()
  }

  /** A new location, with pieces of skus. */
  const location = async (stock: Readonly<Record<string, number>> = {}, fields: object = {}): Promise<number> => {
    made += 1
    const { id } = await post<{ id: number }>('/api/v1/stock_locations/', {
      code: `LOC-${made}`,
      name: `Location ${made}`,
      ...fields,
    })
    for (const [sku, quantity] of Object.entries(stock)) {
      await post(`/api/v1/stock_locations/${id}/stock/`, { sku, quantity, reason: 'First count' })
    }
    return id
  }

  const act = (id: number, action: string, body?: unknown) =>
    post<PackageBody>(`/api/v1/packages/${id}/${action}/`, body)

  const shipment = (packageId: number, fields: object = {}) =>
    post<{ id: number; status: string }>('/api/v1/shipments/', { package: packageId, carrier: 'DHL', ...fields })

  /** A package of one chair, planned for a location that has plenty, brought to a status. */
  const packageIn = async (status: PackageStatus, fields: object = {}): Promise<PackageBody> => {
    const stockLocation = await location({ CHAIR: 10 })
    const items = [{ sku: 'CHAIR', quantity: 1 }]
    let parcel = await post<PackageBody>('/api/v1/packages/', {
      order_number: 'O-1',
      stock_location: stockLocation,
      items,
      ...fields,
    })
    for (const step of ways[status]) {
      if (step === 'shipment') await shipment(parcel.id)
      else parcel = await act(parcel.id, step)
    }
    return parcel
  }

  const balance = async (locationId: number, sku: string) => {
    const answer = await call('GET', `/api/v1/stock_locations/${locationId}/stock/?sku=${encodeURIComponent(sku)}`)
    return answer.json<{ sku: string; on_hand: number; allocated: number; available: number }[]>()[0]
  }

  const actOnTransfer = (id: number, action: string, body?: unknown) =>
    post<TransferBody>(`/api/v1/transfers/${id}/${action}/`, body)

  /** A transfer of 3 chairs from a location that has 10 to one that has none, brought to a status. */
  const transferIn = async (status: TransferStatus, fields: object = {}): Promise<TransferBody> => {
    let transfer = await post<TransferBody>('/api/v1/transfers/', {
      from_location: await location({ CHAIR: 10 }),
      to_location: await location(),
      items: [{ sku: 'CHAIR', quantity: 3 }],
      ...fields,
    })
    for (const step of transferWays[status]) transfer = await actOnTransfer(transfer.id, step)
    return transfer
  }

  return { post, location, act, shipment, packageIn, balance, actOnTransfer, transferIn }
}
