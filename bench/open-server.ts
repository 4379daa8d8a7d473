import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import type { Database, Engine } from '#platform/db/database.ts'
import { openDatabase, type DatabaseLocation } from '#platform/db/open.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { newDatabase, newDirectory } from './open-engine.ts'

type Call = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

export interface BenchServer {
  readonly origin: string
  readonly pid: number
  /** Credential of the superuser: an API key. */
  readonly key: string
  /** Its database. The embedded one is locked while the server runs. */
  readonly location: DatabaseLocation
  /** A request of the superuser. @throws unless it succeeds. */
  readonly call: Call
  /** @returns an API key of somebody, and requests with it. */
  logIn(username: string, password: string): Promise<{ readonly key: string; readonly call: Call }>
  close(): Promise<void>
}

const login = { ADMIN_EMAIL: 'bench@waybill.test', ADMIN_PASSWORD: 'correct horse battery' }
export const benchSecretKey = 'a bench key of at least thirty-two characters'
/** Those of `npm start`. */
export const startFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']

interface ServerOptions {
  /** Further settings of the server. */
  readonly more?: Readonly<Record<string, string>>
  /** Fills the database, which has its tables and the superuser, before the server starts. */
  readonly seed?: (database: Database) => Promise<unknown>
}

/** A whole server on a new database of either kind, started as users start it. */
export const openServer = async (name: Engine, { more = {}, seed }: ServerOptions = {}): Promise<BenchServer> => {
  const directory = await newDirectory()
  const { directory: place } = directory.location
  const postgres = name === 'postgres' ? await newDatabase() : undefined
  mkdirSync(join(place, 'data'))
  const location = postgres?.location ?? { directory: join(place, 'data/database'), poolSize: 1 }
  const environment = {
    ...login,
    DATA_DIR: join(place, 'data'),
    LOG_LEVEL: 'warn',
    SECRET_KEY: benchSecretKey,
    ALLOWED_NETWORKS: '127.0.0.0/8',
    ...more,
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.location.url }),
  }
  const remove = async (): Promise<void> => {
    await postgres?.remove()
    await directory.remove()
  }
  try {
    if (seed !== undefined) {
      // The first administrator is made where there is nobody yet.
      await (await startServer(environment, place, { flags: startFlags })).stop()
      const database = await openDatabase(location)
      await seed(database)
      await database.close()
    }
    const server = await startServer(environment, place, { flags: startFlags })
    const { origin, pid } = server
    const logIn: BenchServer['logIn'] = async (username, password) => {
      const token = await callOf(origin)<{ key: string }>('POST', '/api/v1/auth/login/', { username, password })
      const call = callOf(origin, `Token ${token.key}`)
      const { key } = await call<{ key: string }>('POST', '/api/v1/auth/api-keys/', { name: 'bench' })
      return { key: `Api-Key ${key}`, call }
    }
    const superuser = await logIn(login.ADMIN_EMAIL, login.ADMIN_PASSWORD)
    const close = async (): Promise<void> => {
      await server.stop()
      await remove()
    }
    return { origin, pid, location, ...superuser, logIn, close }
  } catch (error) {
    await remove()
    throw error
  }
}

const callOf =
  (origin: string, authorization?: string): Call =>
  async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = body === undefined ? null : JSON.stringify(body)
    const answer = await request(origin + path, { method, headers, body: sent })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
