import { expect, test } from 'vitest'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { movementKinds } from './movements.ts'

const { call, database } = await makeTestApp()
const { db } = database
const make = makeFulfilment({ call })

const writers = 50
const steps = 4
const skus = ['CHAIR', 'DESK', 'LAMP'] as const
const opening = 25

interface Sums {
  onHand: number
  allocated: number
}
interface Item {
  readonly sku: string
  readonly quantity: number
}
const keyOf = (locationId: number, sku: string): string => `${locationId} ${sku}`

/** What was accepted, added up: what the balances must be when all writers are done. */
const expected = new Map<string, Sums>()
const count = (locationId: number, { sku, quantity }: Item, sides: Sums): void => {
  const sum = expected.get(keyOf(locationId, sku)) ?? { onHand: 0, allocated: 0 }
  const [onHand, allocated] = [sum.onHand + sides.onHand * quantity, sum.allocated + sides.allocated * quantity]
  expected.set(keyOf(locationId, sku), { onHand, allocated })
}
let refused = 0
/** @returns whether the request was accepted; the only reason for which one may be refused is that stock is short. */
const accepted = async (url: string, body: object): Promise<boolean> => {
  const answer = await call('POST', url, body)
  if (answer.statusCode < 300) return true
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'insufficient_stock'])
  refused += 1
  return false
}

/** One writer: counts stock, and takes packages through their lives, in an order of its own. */
const write = async (seed: number, locations: readonly number[]): Promise<void> => {
  const random = seededRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const anyLocation = (): number => locations[below(locations.length)] ?? 0
  const anyItems = (): Item[] => {
    const from = below(skus.length)
    const chosen = [...skus.slice(from), ...skus.slice(0, from)].slice(0, 1 + below(skus.length))
    return chosen.map((sku) => ({ sku, quantity: 1 + below(4) }))
  }

  const adjust = async (): Promise<void> => {
    const [location, sku, quantity] = [anyLocation(), skus[below(skus.length)] ?? '', below(2) === 0 ? 2 : -3]
    const body = { sku, quantity, reason: 'Count' }
    if (await accepted(`/api/v1/stock_locations/${location}/stock/`, body)) {
      count(location, { sku, quantity }, movementKinds.adjust)
    }
  }
  const live = async (): Promise<void> => {
    const items = anyItems()
    const { id } = await make.post<{ id: number }>('/api/v1/packages/', { order_number: `O-${seed}`, items })
    const book = (location: number, kind: 'allocate' | 'release' | 'sale'): void => {
      for (const item of items) count(location, item, movementKinds[kind])
    }
    let at: number | undefined
    for (let moves = 1 + below(2); moves > 0; moves--) {
      const to = locations.filter((location) => location !== at)[below(locations.length - 1)] ?? 0
      if (!(await accepted(`/api/v1/packages/${id}/transition/`, { stock_location: to }))) continue
      if (at !== undefined) book(at, 'release')
      book(to, 'allocate')
      at = to
    }
    if (at === undefined) return
    const end = below(3)
    if (end === 0) {
      await make.act(id, 'cancel')
      book(at, 'release')
    }
    if (end === 1) {
      await make.act(id, 'pack')
      await make.shipment(id)
      await make.act(id, 'ship')
      book(at, 'sale')
    }
  }

  for (let step = 0; step < steps; step++) await (below(3) === 0 ? adjust() : live())
}

test(
  '50 writers at once lose no movement, book none twice, and promise nothing that is not there',
  { timeout: 120_000 },
  async () => {
    const stock = Object.fromEntries(skus.map((sku) => [sku, opening]))
    const strict = [await make.location(stock), await make.location(stock)]
    const backorders = await make.location(stock, { allow_backorder: true })
    const locations = [...strict, backorders]
    for (const location of locations) {
      for (const sku of skus) count(location, { sku, quantity: opening }, movementKinds.adjust)
    }

    await Promise.all(Array.from({ length: writers }, (_, index) => write(index + 1, locations)))

    const balances = await db.selectFrom('stockBalances').selectAll().execute()
    const stored = new Map(
      balances.map(({ locationId, sku, onHand, allocated }) => [keyOf(locationId, sku), { onHand, allocated }]),
    )
    expect(stored).toEqual(expected)

    // Entries of one balance are written under its lock, so their ids are in the order in which it changed.
    const entries = await db.selectFrom('stockEntries').selectAll().orderBy('id').execute()
    const sums = new Map<string, Sums>()
    for (const { locationId, sku, kind, onHand, allocated } of entries) {
      const before = sums.get(keyOf(locationId, sku)) ?? { onHand: 0, allocated: 0 }
      const after = { onHand: before.onHand + onHand, allocated: before.allocated + allocated }
      sums.set(keyOf(locationId, sku), after)
      expect(after.allocated).toBeGreaterThanOrEqual(0)
      const mayBeShort = locationId === backorders
      expect([kind, mayBeShort || after.onHand >= after.allocated]).toEqual([kind, true])
    }
    expect(sums).toEqual(expected)

    // Otherwise there was nothing to fight over.
    expect(refused).toBeGreaterThan(10)
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['adjust', 'allocate', 'release', 'sale']))
  },
)
