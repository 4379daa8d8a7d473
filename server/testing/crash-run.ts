import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { vi } from 'vitest'
import { makePackageLoad, type PackageLoad } from './package-load.ts'
import { startServer, type ServerProcess } from './server-process.ts'

export interface CrashRunOptions {
  /** For every server: where its data is. */
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
  readonly receiverUrl: string
  /** Signing secret of the subscriptions. */
  readonly secret: string
  readonly rounds: number
  readonly random: () => number
}

export interface CrashRun {
  readonly load: PackageLoad
  /** When each killed server was started and when it was killed. */
  readonly lives: readonly { readonly from: Date; readonly to: Date }[]
  /** Errors that the servers logged or printed. */
  readonly errors: readonly string[]
  /** Status that the last one ended with, after SIGTERM. */
  readonly exitStatus: number | null
}

const clients = 8
/** Time under load: from the first answer on, because a new process is slow at first. */
const shortestLifeMs = 50
const longestLifeMs = 900
/** Leases of killed processes last 30 s; the look that finds what they left comes within 5 s. */
const drainMs = 60_000
const login = { username: 'admin@waybill.test', password: 'correct horse battery' }

/** Puts load on servers that are killed at random moments, one after the other on the same data; the last one may drain. */
export const crashAgainAndAgain = async (options: CrashRunOptions): Promise<CrashRun> => {
  const { directory, rounds, random } = options
  const environment = {
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: login.username,
    ADMIN_PASSWORD: login.password,
    SECRET_KEY: 'a key for crash tests, 32 characters',
    // Written by the first server, which ends in peace: the others start faster.
    NODE_COMPILE_CACHE: `${directory}/compile-cache`,
    ...options.environment,
  }
  const start = (): Promise<ServerProcess> => startServer(environment, directory)
  const lives: { from: Date; to: Date }[] = []
  const errors: string[] = []

  const first = await start()
  const authorization = await signIn(first.origin)
  const locations = await prepare({ ...options, origin: first.origin, authorization })
  const load = makePackageLoad({ authorization, locations, random })
  await first.stop()

  for (let round = 0; round < rounds; round++) {
    const from = new Date()
    const server = await start()
    const { warm, ended } = load.run(server.origin)
    await warm
    await sleep(shortestLifeMs + random() * (longestLifeMs - shortestLifeMs))
    lives.push({ from, to: new Date() })
    await server.kill()
    await ended
    errors.push(...server.errors)
  }

  const last = await start()
  await load.finish(last.origin)
  await vi.waitFor(() => expectNothingPending(last.origin, authorization), { timeout: drainMs, interval: 250 })
  const exitStatus = await last.stop()
  return { load, lives, errors: [...errors, ...last.errors], exitStatus }
}

const signIn = async (origin: string): Promise<string> => {
  const { key } = await call<{ key: string }>(`${origin}/api/v1/auth/login/`, login)
  return `Token ${key}`
}

type Preparation = CrashRunOptions & { readonly origin: string; readonly authorization: string }

/** Subscribes once to each of the two events, and fills a stock location for each client. @returns the locations. */
const prepare = async ({ origin, authorization, receiverUrl, secret }: Preparation): Promise<number[]> => {
  for (const eventType of ['package.created', 'package.status.transitioned']) {
    const hook = {
      event_type: eventType,
      target_url: receiverUrl,
      secret_key: secret,
      retry_countdown_config: oneSecond,
    }
    await call(`${origin}/whisperer/hooks/`, hook, authorization)
  }
  const locations: number[] = []
  for (let index = 0; index < clients; index++) {
    const path = `${origin}/api/v1/stock_locations/`
    const { id } = await call<{ id: number }>(path, { code: `L-${index}`, name: `Location ${index}` }, authorization)
    await call(`${path}${id}/stock/`, { sku: 'CHAIR', quantity: 1_000_000, reason: 'First count' }, authorization)
    locations.push(id)
  }
  return locations
}
const oneSecond = { choice: 'fixed', kwargs: { seconds: 1 } }

const call = async <T>(url: string, body: object, authorization?: string): Promise<T> => {
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`POST ${url} answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text) as T
}

const expectNothingPending = async (origin: string, authorization: string): Promise<void> => {
  const answer = await request(`${origin}/whisperer/hook_events/?delivered=false&limit=1`, {
    headers: { authorization },
  })
  await answer.body.dump()
  const pending = answer.headers['x-total-count']
  if (pending !== '0') throw new Error(`${String(pending)} deliveries are still pending after ${drainMs / 1_000} s.`)
}
