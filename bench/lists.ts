import { percentile, threeRuns, type Figure } from './figure.ts'
import { connectLeanClient, timesOf } from './lean-client.ts'
import { openServer, type BenchServer } from './open-server.ts'
import { scaled } from './scale.ts'
import { seedLists } from './seed-lists.ts'

const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()
const lately = {
  'created_date__gte, a week': `created_date__gte=${daysAgo(7)}`,
  'created_date__lt, half': `created_date__lt=${daysAgo(182)}`,
}
interface Queries {
  /** Filters that are answered from kept counts, besides none. */
  readonly frequent: Readonly<Record<string, string>>
  readonly others: Readonly<Record<string, string>>
  readonly orderings: readonly string[]
}
const lists: Readonly<Record<string, Queries>> = {
  '/api/v1/packages/': {
    frequent: {
      'status, most': 'status=shipped',
      'status, few': 'status=packed_for_refund',
      'two statuses': 'status=created&status=packed',
      'stock_location, with many': 'stock_location=1',
      'stock_location, with few': 'stock_location=900',
    },
    others: {
      ...lately,
      number: 'number=P-2026-500000',
      order_number: 'order_number=O-5000',
      quotation_order: 'quotation_order=1',
      'sku, of many': 'sku=SKU-1',
      'sku, of few': 'sku=SKU-9000',
      'status and stock_location': 'status=shipped&stock_location=1',
      'status and created_date': `status=shipped&${lately['created_date__lt, half']}`,
    },
    orderings: ['id', 'number', 'order_number', 'status', 'created_date', 'modified_date'],
  },
  '/api/v1/shipments/': {
    frequent: {
      'status, most': 'status=delivered',
      'status, few': 'status=returned',
      carrier: 'carrier=DHL',
      'carrier, few': 'carrier=own',
    },
    others: {
      ...lately,
      package: 'package=5000',
      transfer: 'transfer=5000',
      awb_number: 'awb_number=AWB5000',
      'status and carrier': 'status=delivered&carrier=DHL',
      'status and created_date': `status=delivered&${lately['created_date__lt, half']}`,
    },
    orderings: ['id', 'carrier', 'status', 'created_date', 'modified_date'],
  },
  '/api/v1/transfers/': {
    frequent: {
      'status, most': 'status=transferred',
      'status, few': 'status=created',
      'from_location, with many': 'from_location=1',
      'from_location, with few': 'from_location=900',
      'to_location, with many': 'to_location=998',
    },
    others: {
      ...lately,
      number: 'number=T-2026-500000',
      package: 'package=5000',
      sku: 'sku=SKU-7',
      'status and from_location': 'status=transferred&from_location=1',
      'status and created_date': `status=transferred&${lately['created_date__lt, half']}`,
    },
    orderings: ['id', 'number', 'status', 'created_date', 'modified_date'],
  },
  '/api/v1/stock_locations/1/stock/': {
    frequent: {},
    others: { sku: 'sku=SKU-5000' },
    orderings: ['-sku', 'on_hand', 'allocated', 'available'],
  },
  '/api/v1/users/': {
    frequent: {
      'is_staff, most': 'is_staff=false',
      'is_staff, few': 'is_staff=true',
      is_active: 'is_active=true',
      'is_active, few': 'is_active=false',
    },
    others: {
      'email, all': 'email=person',
      'email, one in ten': 'email=example.com',
      'email, one': 'email=person500000%40',
      'email, none': 'email=nobody',
      'is_staff and is_active': 'is_staff=false&is_active=true',
    },
    orderings: ['-id', 'email', 'last_name', 'created_at'],
  },
}
const requestsOfEach = 20
const maxMsOfEach = 500

/** Lists of order management and of users among 1,000,000 rows each, with exact counts, by a whole server on PostgreSQL. */
export const largeLists = async (): Promise<Figure[]> => {
  const server = await openServer('postgres', { seed: (database) => seedLists(database, scaled(1_000_000, 1_000)) })
  try {
    return await threeRuns(() => measureLists(server))
  } finally {
    await server.close()
  }
}

const measureLists = async ({ origin, key }: BenchServer): Promise<Figure[]> => {
  const client = await connectLeanClient(origin, key)
  const figures: Figure[] = []
  for (const [path, { frequent, others, orderings }] of Object.entries(lists)) {
    const ordered = orderings.map((ordering) => [`ordering ${ordering}`, `ordering=${ordering}`] as const)
    const queries = { nothing: '', ...frequent, ...Object.fromEntries(ordered), ...others }
    for (const [name, query] of Object.entries(queries)) {
      const reach = name in frequent || query === '' ? '≤ 20 ms' : '≤ 100 ms'
      for (const [page, request] of Object.entries(await pagesOf({ origin, key }, `${path}?${query}`))) {
        const value = percentile(await timesOf(client, request, requestsOfEach, maxMsOfEach), 0.99)
        figures.push({ name: `${path} by ${name}, ${page} page, p99`, unit: 'ms', value, reach })
      }
    }
  }
  client.close()
  return figures
}

/** The pages at both ends and in the middle, as the first one counts them. */
const pagesOf = async (
  { origin, key }: Pick<BenchServer, 'origin' | 'key'>,
  path: string,
): Promise<Readonly<Record<string, string>>> => {
  const answer = await fetch(origin + path, { headers: { authorization: key } })
  await answer.text()
  const last = Math.ceil(Number(answer.headers.get('x-total-count')) / 10)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return last < 3
    ? { first: path }
    : { first: path, middle: `${path}&page=${Math.ceil(last / 2)}`, last: `${path}&page=${last}` }
}
