import { divideRounded, type Minor } from '#platform/money.ts'

/** A line of a quotation with the divisions its units are for. */
export interface OrderedLine {
  readonly productRemoteId: string
  readonly net: Minor
  /** In sequence, each division once; quantities of at least 1. */
  readonly divisions: readonly { readonly id: number; readonly quantity: number }[]
}

export interface OrderItem {
  /** Which line of the quotation it is of, from 0. */
  readonly line: number
  readonly productRemoteId: string
  readonly quantity: number
  readonly amount: Minor
}

/** An order that is to be made in the commerce platform. */
export interface PlannedOrder {
  readonly divisionId: number
  /** From 1, within the division. */
  readonly batchNo: number
  readonly quantity: number
  readonly amount: Minor
  readonly items: readonly OrderItem[]
}

/**
 * Splits a quotation into orders (document 3, "Order splitting"; quotations, "Orders"): for each division, the units of
 * the lines in sequence, cut at the size of a batch. The units from a to b of a line of Q units and net N are worth
 * round(N·b/Q) − round(N·a/Q), so that the orders add up to the net amount whatever the size.
 * @param batchSize most units of one order, at least 1.
 */
export const splitOrders = (lines: readonly OrderedLine[], batchSize: number): PlannedOrder[] => {
  const worth = lines.map(makeWorth)
  return [...wantedBy(lines)].flatMap(([divisionId, wanted]) =>
    batches(wanted, batchSize).map((batch, index) => {
      const items = batch.map((item) => ({ ...item, amount: worth[item.line]?.(item.quantity) ?? 0n }))
      return {
        divisionId,
        batchNo: index + 1,
        quantity: items.reduce((sum, { quantity }) => sum + quantity, 0),
        amount: items.reduce((sum, { amount }) => sum + amount, 0n),
        items,
      }
    }),
  )
}

interface Wanted {
  readonly line: number
  readonly productRemoteId: string
  readonly quantity: number
}

/** What each division wants, in sequence; divisions in the order in which they appear. One pass, however many there are. */
const wantedBy = (lines: readonly OrderedLine[]): Map<number, Wanted[]> => {
  const wanted = new Map<number, Wanted[]>()
  for (const [line, { productRemoteId, divisions }] of lines.entries())
    for (const { id, quantity } of divisions) {
      const items = wanted.get(id) ?? []
      items.push({ line, productRemoteId, quantity })
      wanted.set(id, items)
    }
  return wanted
}

/** Items in sequence, in batches that are full but for the last one. */
const batches = (items: readonly Wanted[], batchSize: number): Wanted[][] => {
  const filled: Wanted[][] = []
  let room = 0
  for (const item of items) {
    let rest = item.quantity
    while (rest > 0) {
      if (room === 0) {
        filled.push([])
        room = batchSize
      }
      const quantity = Math.min(rest, room)
      filled.at(-1)?.push({ ...item, quantity })
      rest -= quantity
      room -= quantity
    }
  }
  return filled
}

/** Tells what the next units of a line are worth, from its first one on. */
const makeWorth = ({ net, divisions }: OrderedLine): ((quantity: number) => Minor) => {
  const all = BigInt(divisions.reduce((sum, { quantity }) => sum + quantity, 0))
  const upTo = (units: bigint): Minor => divideRounded(net * units, all)
  let taken = 0n
  return (quantity) => {
    const before = taken
    taken += BigInt(quantity)
    return upTo(taken) - upTo(before)
  }
}
