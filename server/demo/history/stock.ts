import type { RunScript } from '#platform/db/database.ts'
import { insertRows } from '../rows.ts'
import type { Chance } from './chance.ts'

/** A movement of the ledger: what it adds to what is there, and to what is promised. */
interface Entry {
  readonly locationId: number
  readonly sku: string
  readonly kind: string
  readonly onHand: number
  readonly allocated: number
  readonly cause: string
  readonly actorId: number
  readonly at: Date
}

/** What a movement of one piece adds, as the server's ledger books it. */
const effects = {
  allocate: [0, 1],
  release: [0, -1],
  sale: [-1, -1],
  restock: [1, 0],
  transfer_out: [-1, -1],
  transfer_in: [1, 0],
  write_off: [-1, 0],
} as const

export type MovementKind = keyof typeof effects

export interface Move {
  readonly kind: MovementKind
  readonly locationId: number
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
  readonly cause: string
  readonly actorId: number
  readonly at: Date
}

/** Collects movements of stock, and writes them with a first count before them that is enough for all. */
export const makeStockHistory = (chance: Chance) => {
  const entries: Entry[] = []
  const sorted = (): Entry[] => entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  return {
    move({ kind, items, ...rest }: Move): void {
      const [onHand, allocated] = effects[kind]
      for (const { sku, quantity } of items)
        entries.push({ ...rest, kind, sku, onHand: onHand * quantity, allocated: allocated * quantity })
    },

    /** @param places every location and sku that was ever counted. */
    async write(run: RunScript, places: readonly (readonly [number, string])[], first: { at: Date; actorId: number }) {
      const moved = sorted()
      const counts = new Map(
        places.map(([locationId, sku]) => [
          `${locationId} ${sku}`,
          { locationId, sku, available: 0, lowest: 0, onHand: 0, allocated: 0 },
        ]),
      )
      for (const { locationId, sku, onHand, allocated } of moved) {
        const count = counts.get(`${locationId} ${sku}`)
        if (count === undefined) throw new Error(`${sku} was never counted at ${locationId}.`)
        count.onHand += onHand
        count.allocated += allocated
        count.available += onHand - allocated
        count.lowest = Math.min(count.lowest, count.available)
      }
      const firsts = [...counts.values()].map((count) => ({ ...count, counted: -count.lowest + chance.whole(0, 60) }))
      await insertRows(
        run,
        'stock_balances',
        firsts.map(({ locationId, sku, counted, onHand, allocated }) => ({
          location_id: locationId,
          sku,
          on_hand: counted + onHand,
          allocated,
        })),
      )
      const counted = firsts.map(({ locationId, sku, counted: onHand }) => ({
        ...first,
        locationId,
        sku,
        kind: 'adjust',
        onHand,
        allocated: 0,
        cause: 'Count of the month',
      }))
      await insertRows(run, 'stock_entries', [...counted, ...moved].map(toRow))
    },
  }
}

export type StockHistory = ReturnType<typeof makeStockHistory>

const toRow = ({ locationId, onHand, actorId, at, ...rest }: Entry) => ({
  location_id: locationId,
  on_hand: onHand,
  actor_id: actorId,
  created_at: at,
  ...rest,
})
