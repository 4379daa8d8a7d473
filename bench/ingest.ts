import type { Engine } from '#platform/db/database.ts'
import { bareInserts } from './bare-inserts.ts'
import { median, type Figure } from './figure.ts'
import { openServer } from './open-server.ts'
import { scaled } from './scale.ts'
import { sendLoad } from './send-load.ts'

const runs = 3
/** As many as the client puts into each of its requests. */
const batch = 100
const concurrency = 8
const requests = (): number => scaled(600, 20)
const warmUps = (): number => scaled(200, 20)

const reach: Record<Engine, string> = { postgres: '≥ 25,000/s', pglite: '≥ 10,000/s' }

interface Run {
  readonly bare: number
  readonly served: number
}

/** Events a second that a server takes over HTTP and stores, beside the bare database storing the same bodies. */
export const ingest = async (name: Engine): Promise<Figure> => {
  const results: Run[] = []
  for (let run = 0; run < runs; run++) {
    const bare = await bareInserts(name, { batch, connections: concurrency, requests: requests(), warmUps: warmUps() })
    results.push({ bare, served: await servedEvents(name) })
  }
  return {
    name: `events taken in batches of ${batch}, ${name}`,
    unit: '/s',
    value: median(results.map(({ served }) => served)),
    limit: median(results.map(({ bare }) => bare)),
    reach: reach[name],
  }
}

/** A whole server with one hook that matches and that its owner switched off, and a client in a process of its own. */
const servedEvents = async (name: Engine): Promise<number> => {
  const server = await openServer(name)
  try {
    const hook = { event_type: 'package.created', target_url: 'http://127.0.0.1:4100/', is_active: false }
    await server.call('POST', '/whisperer/hooks/', hook)
    const { origin, key } = server
    const order = { origin, authorization: key, path: '/api/v1/events/', body: 'events', concurrency } as const
    await sendLoad({ ...order, requests: warmUps(), first: 1 })
    const { seconds } = await sendLoad({ ...order, requests: requests(), first: 1 + warmUps() })
    return (requests() * batch) / seconds
  } finally {
    await server.close()
  }
}
