import type { Logger } from 'pino'
import type { Passwords } from '#platform/auth/passwords.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import type { Service } from '#platform/supervisor.ts'
import type { Role } from './command-line.ts'

/** What the server is made from: everything that comes from outside of it. */
export interface ServerContext {
  readonly role: Role
  readonly config: Config
  /** The key everything secret is derived from: SECRET_KEY, or the generated one. */
  readonly secretKey: string
  /** Those before it that can still open what is stored; none unless the key is being changed. */
  readonly previousSecretKeys?: readonly string[]
  /** Open and migrated. */
  readonly database: Database
  /** Where exported files are kept. */
  readonly store: ObjectStore
  /** Where the console was built; absent: nowhere. */
  readonly consoleDirectory?: string | undefined
  /** Where the documents were built as a site; absent: nowhere. */
  readonly guideDirectory?: string | undefined
  readonly clock: Clock
  /** How passwords are kept; as safely as is usual when it is left out. */
  readonly passwords?: Passwords
  /** What has to run for these to work. */
  readonly services?: readonly Service[]
  readonly log: Logger
  /** Absent unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  readonly tracing?: Tracing | undefined
}
