import type { HoldQuotationOrder } from '#domains/order-management/index.ts'
import type { Tx } from '#platform/db/database.ts'

interface Order {
  readonly id: number
  readonly remoteNumber: string | null
  readonly items: readonly { readonly productRemoteId: string; readonly quantity: number }[]
}

/** Orders of quotations as packages are made of them: what the commerce platform calls a product is its sku. */
export const packedOrders =
  (holdOrder: (tx: Tx, id: number) => Promise<Order | undefined>): HoldQuotationOrder =>
  async (tx, orderId) => {
    const order = await holdOrder(tx, orderId)
    if (order === undefined) return undefined
    const quantities = new Map<string, number>()
    for (const { productRemoteId: sku, quantity } of order.items)
      quantities.set(sku, quantity + (quantities.get(sku) ?? 0))
    const items = [...quantities].map(([sku, quantity]) => ({ sku, quantity }))
    return { id: order.id, remoteNumber: order.remoteNumber, items }
  }
