import type { Engine } from '#platform/db/database.ts'
import type { Figure } from './figure.ts'
import type { BenchServer } from './open-server.ts'
import { scaled } from './scale.ts'
import { sendLoad } from './send-load.ts'

const lists: Readonly<Record<string, string>> = {
  'stock locations': '/api/v1/stock_locations/',
  hooks: '/whisperer/hooks/',
  'hook events': '/whisperer/hook_events/',
  packages: '/api/v1/packages/',
  'error reports': '/api/v1/error_reports/',
  quotations: '/api/v1/quotations/',
}
const rows = 10
type Row = { readonly id: number }
const concurrency = 16

/** Small lists and small records, beside `/healthz`, which nobody has to be known for and nothing is looked up for. */
export const measureReads = async (server: BenchServer, name: Engine): Promise<Figure[]> => {
  const limit = await readsPerSecond(server, '/healthz')
  const figures: Figure[] = []
  for (const [title, path] of Object.entries(lists)) {
    const answer = await server.call<Row[] | { readonly results: Row[] }>('GET', `${path}?limit=${rows}`)
    const results = Array.isArray(answer) ? answer : answer.results
    const [first] = results
    if (first === undefined) throw new Error(`There are no ${title}.`)
    const reads = { [`list of ${results.length}`]: `${path}?limit=${rows}`, 'one record': `${path}${first.id}/` }
    for (const [kind, read] of Object.entries(reads))
      figures.push({
        name: `${title}, ${kind}, ${concurrency} at a time, ${name}`,
        unit: '/s',
        value: await readsPerSecond(server, read),
        limit,
        reach: 'limit: /healthz',
      })
  }
  return figures
}

const readsPerSecond = async ({ origin, key }: BenchServer, path: string): Promise<number> => {
  const order = { origin, authorization: key, path, concurrency }
  await sendLoad({ ...order, seconds: scaled(1) })
  const { sentAt, seconds } = await sendLoad({ ...order, seconds: scaled(3) })
  return sentAt.length / seconds
}
