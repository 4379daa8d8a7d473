import { invalidField } from '#platform/errors.ts'
import { refuseDoubles, refuseItems } from '../request-fields.ts'
import type { Movement } from '../stock/index.ts'
import type { ActionBody } from './schemas.ts'
import type { Item } from './transfer.ts'

/**
 * The items with what arrived of each. Without `items` in the body everything did; a sku that is not in them did not. A
 * reason is needed where something is missing.
 * @throws AppError 400 for skus that were not sent, more pieces than were, or pieces that are missing without a reason.
 */
export const receivedItems = (sent: readonly Item[], { items, reason }: ActionBody): readonly Item[] => {
  if (items === undefined) return sent.map((item) => ({ ...item, received: item.quantity }))

  refuseDoubles(items)
  refuseUnsent(sent, items)
  const counts = new Map(items.map(({ sku, received }) => [sku, received]))
  const result = sent.map((item) => ({ ...item, received: counts.get(item.sku) ?? 0 }))
  const missing = result.filter(({ quantity, received }) => received < quantity)
  if (missing.length > 0 && reason === undefined) {
    const list = missing.map(({ sku, quantity, received }) => `${sku} (${received} of ${quantity})`).join(', ')
    throw invalidField('reason', `Say why less arrived than was sent: ${list}.`)
  }
  return result
}

const refuseUnsent = (sent: readonly Item[], items: readonly Pick<Item, 'sku' | 'received'>[]): void => {
  const quantities = new Map(sent.map(({ sku, quantity }) => [sku, quantity]))
  refuseItems(items, ({ sku, received }) => {
    const quantity = quantities.get(sku)
    if (quantity === undefined) return { field: 'sku', message: 'The transfer has no such sku.' }
    return received > quantity ? { field: 'received', message: `Only ${quantity} of it were sent.` } : undefined
  })
}

/**
 * Write-offs of what was sent and did not arrive. All that was sent is booked in at the destination before, so the
 * ledger shows the loss as an entry of its own.
 */
export const lossesOf = (items: readonly Item[], destination: Movement['location']): Movement[] =>
  items.flatMap(({ sku, quantity, received }) =>
    received === quantity ? [] : [{ location: destination, sku, kind: 'write_off', quantity: quantity - received }],
  )
