import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll } from 'vitest'
import { argon2Passwords } from '#platform/auth/passwords.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import { readConfig, type Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { openFolderStore } from '#platform/storage/folder-store.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'
import { compose, type Waybill } from '../compose.ts'
import { openTestDatabase } from './open-test-database.ts'
import { makeTestDirectory } from './open-test-store.ts'
import { recordAnswers } from './record-answers.ts'

export interface TestApp extends Waybill {
  readonly app: FastifyInstance
  readonly database: Database
  readonly store: ObjectStore
  readonly config: Config
  /** A request as the first superuser; `headers` can name another credential. */
  readonly call: (
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
  /** `authorization` header of the first superuser. */
  readonly superuser: { readonly authorization: string; readonly email: string; readonly password: string }
}

export interface TestAppOptions {
  readonly clock?: Clock
  readonly environment?: Readonly<Record<string, string>>
  /** Where a console was built. */
  readonly consoleDirectory?: string
  /** Where the documents were built as a site. */
  readonly guideDirectory?: string
  /** By default nothing is logged. */
  readonly log?: Logger
}

/** Real hashes, each a thousandth of the usual work: tests make hundreds of people. */
export const quickPasswords = { memoryCost: 32, timeCost: 1, parallelism: 1 }

export const testSecretKey = 'a test key of at least thirty-two characters'

/** The whole application on a database of its own, without a port: requests are injected. Background services are not started. */
export const makeTestApp = async ({
  clock = systemClock,
  environment = {},
  consoleDirectory,
  guideDirectory,
  log,
}: TestAppOptions = {}): Promise<TestApp> => {
  const database = await openTestDatabase()
  const directory = await makeTestDirectory()
  const store = await openFolderStore(join(directory, 'exports'))
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: directory,
    ADMIN_EMAIL: 'admin@waybill.test',
    ADMIN_PASSWORD: 'correct horse battery',
    ...environment,
  })
  const waybill = await compose({
    role: 'all',
    config,
    secretKey: testSecretKey,
    database,
    store,
    consoleDirectory,
    guideDirectory,
    clock,
    passwords: argon2Passwords(quickPasswords),
    log: log ?? pino({ level: config.LOG_LEVEL }),
  })
  recordAnswers(waybill.app)
  // Registered after the database, so it runs before the database is closed.
  afterAll(() => waybill.app.close())

  const login = (await waybill.ensureSuperuser()) ?? { email: '', password: '' }
  const answer = await waybill.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login/',
    payload: { username: login.email, password: login.password },
  })
  const superuser = { authorization: `Token ${answer.json<{ key: string }>().key}`, ...login }

  return {
    ...waybill,
    database,
    store,
    config,
    superuser,
    call: (method, url, body, headers = {}) =>
      waybill.app.inject({
        ...(method === undefined ? {} : { method }),
        url,
        ...(body === undefined ? {} : { payload: body as object }),
        headers: { authorization: superuser.authorization, ...headers },
      }),
  }
}
