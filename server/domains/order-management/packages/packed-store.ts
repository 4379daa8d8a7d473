import type { Tx } from '#platform/db/database.ts'

/** How many pieces of each sku are in packages of an order of a quotation that are not cancelled. The caller holds the order. */
export const packedOfOrder = async (tx: Tx, quotationOrderId: number): Promise<ReadonlyMap<string, number>> => {
  const rows = await tx
    .selectFrom('packages')
    .innerJoin('packageItems', 'packageItems.packageId', 'packages.id')
    .select(({ fn }) => ['packageItems.sku', fn.sum<string>('packageItems.quantity').as('quantity')])
    .where('packages.quotationOrderId', '=', quotationOrderId)
    .where('packages.status', '<>', 'cancelled')
    .groupBy('packageItems.sku')
    .execute()
  return new Map(rows.map(({ sku, quantity }) => [sku, Number(quantity)]))
}
