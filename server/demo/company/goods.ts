import type { Call, Made } from '../api.ts'
import type { Divisions } from './people.ts'

/** A product, as the rest of the demo needs it. */
export interface Product {
  readonly remoteId: number
  readonly sku: string
  readonly name: string
  readonly price: string
}

/** A kind of furniture: what it is called, its code, and what the plainest of it costs. */
const kinds = [
  ['Seating', 'CHAIR', 'dining chair', 89],
  ['Seating', 'ARMCHAIR', 'armchair', 349],
  ['Seating', 'STOOL', 'bar stool', 79],
  ['Tables', 'TABLE', 'dining table', 459],
  ['Tables', 'SIDE', 'side table', 119],
  ['Storage', 'SHELF', 'shelf', 189],
  ['Storage', 'CABINET', 'cabinet', 529],
  ['Bedroom', 'BED', 'bed frame 160 × 200', 599],
  ['Lighting', 'LAMP', 'floor lamp', 139],
  ['Outdoor', 'BENCH', 'garden bench', 229],
] as const

/** Woods and finishes, of which every kind comes in each. */
const finishes = [
  ['OAK', 'Oak', 1],
  ['WALNUT', 'Walnut', 1.35],
  ['ASH', 'Ash', 0.95],
  ['BEECH', 'Beech', 0.85],
  ['BLACK', 'Black-stained', 1.1],
  ['WHITE', 'White-painted', 0.9],
] as const

export const products: readonly Product[] = kinds.flatMap(([, code, noun, price], kind) =>
  finishes.map(([finish, adjective, factor], index) => ({
    remoteId: 10_000 + kind * 100 + index,
    sku: `${code}-${finish}`,
    name: `${adjective} ${noun}`,
    price: (price * factor).toFixed(2),
  })),
)

const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')).join('\n')

/** The products, as tables bring them. */
export const makeProducts = async (boss: Call): Promise<void> => {
  const rows = products.map(({ remoteId, sku, name, price }, index) => {
    const [category, code] = kinds[Math.floor(index / finishes.length)] ?? kinds[0]
    const attributes = JSON.stringify({
      finish: sku.split('-')[1],
      assembly_minutes: 5 + (index % 7) * 5,
      flat_pack: index % 3 > 0,
    })
    return [remoteId, sku, name, price, 'EUR', category, code, attributes]
  })
  const header = ['remote_id', 'sku', 'name', 'price', 'currency', 'category', 'base_code', 'attributes']
  await boss('POST /api/v1/products/import/', csvOf([header, ...rows]), 'text/csv')
}

/** A framework of the whole company, a list of one branch, and offers that hold for a while. */
export const makePrices = async (boss: Call, divisions: Divisions, day: (before: number) => string): Promise<void> => {
  const price = (product: Product, share: number, fields: object) =>
    boss('POST /api/v1/prices/', {
      product_remote_id: product.remoteId,
      price: (Number(product.price) * share).toFixed(2),
      ...fields,
    })
  for (const product of products.slice(0, 12))
    await price(product, 0.88, {
      division: divisions.ahsap,
      covers: 'tree',
      name: 'Framework 2026',
      valid_from: day(60),
    })
  for (const product of products.slice(18, 24))
    await price(product, 0.8, {
      division: divisions.kadikoy,
      covers: 'division',
      name: 'Kadıköy opening',
      valid_from: day(20),
      valid_to: day(-10),
    })
  for (const product of products.slice(6, 12))
    await price(product, 0.92, {
      division: divisions.nordlicht,
      covers: 'tree',
      name: 'Rahmenvertrag Nord',
      valid_from: day(45),
    })
  for (const product of products.slice(48, 54))
    await price(product, 0.7, {
      division: divisions.ahsap,
      covers: 'tree',
      name: 'Autumn lamps',
      valid_from: day(50),
      valid_to: day(15),
    })
}

/** Where the goods are. */
export interface Location {
  readonly id: number
  /** How much of the work is done there. */
  readonly share: number
}

/** @returns the places that hold stock. */
export const makeLocations = async (operator: Call): Promise<readonly Location[]> => {
  const make = async (code: string, name: string, address: string, fields: object = {}): Promise<number> =>
    (await operator<Made>('POST /api/v1/stock_locations/', { code, name, address, kind: 'warehouse', ...fields })).id
  const gebze = await make('IST-GEBZE', 'Gebze central warehouse', 'Organize Sanayi 400. Sok. 12, Gebze, Kocaeli')
  const izmir = await make('IZM-TORBALI', 'Torbalı warehouse', 'Ayrancılar Mah., Torbalı, İzmir')
  const rotterdam = await make('EU-RTM', 'Rotterdam hub', 'Waalhaven Z.z. 21, 3089 JH Rotterdam', {
    allow_backorder: true,
  })
  const store = await make('IST-STORE', 'Nişantaşı showroom', 'Teşvikiye Cad. 22, İstanbul', { kind: 'store' })
  await make('RETURNS', 'Returns', '', { kind: 'virtual' })
  await make('ANK-OLD', 'Sincan warehouse (closed)', 'Sincan, Ankara', { is_active: false })
  return [
    { id: gebze, share: 0.5 },
    { id: izmir, share: 0.25 },
    { id: rotterdam, share: 0.2 },
    { id: store, share: 0.05 },
  ]
}
