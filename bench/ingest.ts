import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import type { Engine } from '#platform/db/database.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { bareInserts } from './bare-inserts.ts'
import { median, type Figure } from './figure.ts'
import type { IngestOrder } from './ingest-client.ts'
import { newDatabase, newDirectory } from './open-engine.ts'
import { scaled } from './scale.ts'

const runs = 3
const batch = 100
const concurrency = 8
const requests = (): number => scaled(600, 20)
const warmUps = (): number => scaled(200, 20)

const reach: Record<Engine, string> = { postgres: '≥ 20,000/s', pglite: 'none of its own' }

const login = { ADMIN_EMAIL: 'bench@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }

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
  const directory = await newDirectory()
  const { directory: place } = directory.location
  const server = name === 'postgres' ? await newDatabase() : undefined
  mkdirSync(join(place, 'data'))
  const environment = {
    ...login,
    DATA_DIR: join(place, 'data'),
    LOG_LEVEL: 'warn',
    SECRET_KEY: 'a bench key of at least thirty-two characters',
    ...(server === undefined ? {} : { DATABASE_URL: server.location.url }),
  }
  let waybill: ServerProcess | undefined
  try {
    waybill = await startServer(environment, place)
    const authorization = await prepare(waybill)
    const order = { origin: waybill.origin, authorization, batch, concurrency }
    await sent({ ...order, requests: warmUps(), first: 1 })
    const seconds = await sent({ ...order, requests: requests(), first: 1 + warmUps() * batch })
    return (requests() * batch) / seconds
  } finally {
    await waybill?.stop()
    await server?.remove()
    await directory.remove()
  }
}

/** @returns the credential of somebody who may raise events, and whose hook is off. */
const prepare = async ({ origin }: ServerProcess): Promise<string> => {
  const post = async <T>(path: string, body: object, authorization?: string): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
    const answer = await request(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
    return (await answer.body.json()) as T
  }
  const { key: token } = await post<{ key: string }>('/api/v1/auth/login/', {
    username: login.ADMIN_EMAIL,
    password: login.ADMIN_PASSWORD,
  })
  const hook = { event_type: 'package.created', target_url: 'http://127.0.0.1:4100/', is_active: false }
  await post('/whisperer/hooks/', hook, `Token ${token}`)
  const { key } = await post<{ key: string }>(
    '/api/v1/auth/api-keys/',
    { name: 'bench', scopes: ['events:write'] },
    `Token ${token}`,
  )
  return `Api-Key ${key}`
}

/** Has a client do what it is told. @returns the seconds it took. */
const sent = async (order: IngestOrder): Promise<number> => {
  const child = fork(fileURLToPath(new URL('ingest-client.ts', import.meta.url)), { execArgv: [] })
  const said = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The client ended early.')
    }),
  ])
  child.send(order)
  const [{ seconds }] = (await said) as [{ readonly seconds: number }]
  return seconds
}
